// What the runtime had once and the schema goes on having: a field is not removed because the runtime stopped
// sending it, since stored envelopes and older runtimes still hold it.

/**
 * @typedef {{ members: string[], words: string[] }} Retired members by path, words as `status = paused`
 *
 * @param {{ members: object, retired: Retired } | undefined} kept the facts of the version before
 * @param {import("./runtime-facts.js").Members} runtime the facts of the new version
 * @param {import("../breaking/serde-contract.js").MessageContract} message the envelope in our schema
 * @returns {Retired} only what the schema has; what the runtime never had is no matter of retiring
 */
export function retiredSince(kept, runtime, message) {
  if (kept === undefined) return { members: [], words: [] };
  const retired = { members: [], words: [] };
  for (const { camelKey, enum: enumeration } of message.members) {
    const isOld = camelKey in kept.members || kept.retired.members.includes(camelKey);
    if (isOld && !(camelKey in runtime)) retired.members.push(camelKey);
    const oldWords = kept.members[camelKey]?.words ?? [];
    for (const word of enumeration?.words.keys() ?? []) {
      const path = `${camelKey} = ${word}`;
      const wasThere = oldWords.includes(word) || kept.retired.words.includes(path);
      if (wasThere && !runtime[camelKey]?.words?.includes(word)) retired.words.push(path);
    }
  }
  return retired;
}
