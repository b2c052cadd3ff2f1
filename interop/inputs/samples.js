// Inputs for the differences that are meant to be, so that each of them occurs in every run.

const envelope = (members) => `{"run_id":"a","status":"completed",${members}}`;

/** Texts on which serde_json and we differ on purpose. */
const TEXTS = [
  '[1,null,null,null,null,null,"a",null,"completed"]',
  '{"run_id":"a","status":{"completed":null}}',
  '{"run_id":"a","runId":"b","status":"completed"}',
  '{"run_id":"a","status":"completed","pause_info":1,"pauseInfo":2}',
  envelope('"pauseInfo":1e400'),
  envelope('"pauseInfo":{"type":"user"}'),
  envelope('"other":1e400'),
  envelope('"other":"\\ud83d"'),
  envelope(`"other":${"[".repeat(200)}${"]".repeat(200)}`),
  ...[
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.79769313486231580e308",
    "1.797693134862315807e308",
    "17976931348623157e292",
    "179769313486231570e291",
  ].map((number) => envelope(`"result":${number}`)),
  envelope(`"result":${BigInt(Number.MAX_VALUE)}`),
  envelope(`"result":${BigInt(Number.MAX_VALUE) + 10n ** 291n}`),
  envelope('"result":[0.12345678901234567890,123456789.123456789123456789e-30,9007199254740993.00000001e17]'),
];

export function acceptanceSamples() {
  return TEXTS.map((text, place) => ({ name: `sample ${place}`, bytes: Buffer.from(text) }));
}

const GOOD = "3a01614803";

/** Binaries that some library reads in its own way. */
const BINARIES = [
  // A known field with another wire type, at each level.
  `3805${GOOD}`,
  `${GOOD}4a0161`,
  `${GOOD}3203120161`,
  `${GOOD}32030a0100`,
  `${GOOD}7a020805`,
  // A map entry with an unknown field; an object, then null, then an object.
  `${GOOD}320b2a090a070a016112002805`,
  `${GOOD}32092a070a050a01611200${"32020800"}32092a070a050a01621200`,
  // Varints and tags beyond their bits.
  `${GOOD}08ffffffffffffffffff7f`,
  `${GOOD}0880808080808080808002`,
  `${GOOD}f8ffffff1f01`,
  `${GOOD}f8ffffffff0001`,
  `${GOOD}88808080808000`,
];

/** @param {import("../checks/damaged-binary.js").oursOf} oursOf */
export function binarySamples(context, oursOf) {
  return BINARIES.map((hex, place) => {
    const binary = Buffer.from(hex, "hex");
    return { name: `sample ${place}`, binary, ours: oursOf(context, binary) };
  });
}
