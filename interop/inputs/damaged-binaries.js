// Small damage to good binaries: raw bytes that change, and fields that move, double, change or come in at any level.

/** @typedef {import("./random.js").Random} Random */

/**
 * A field, cut out of a message: what it holds is fields again, or bytes.
 * @typedef {{ number: number, type: number, content: Field[] | Buffer }} Field
 */

/** @type {((binary: Buffer, random: Random) => Buffer)[]} */
const RAW_MUTATIONS = [
  (binary, random) => {
    const at = random.below(binary.length);
    return splice(binary, at, 1, Buffer.from([binary[at] ^ (1 << random.below(8))]));
  },
  (binary, random) => splice(binary, random.below(binary.length), 1, Buffer.from([random.below(256)])),
  (binary, random) => splice(binary, random.below(binary.length), 1, Buffer.alloc(0)),
  (binary, random) => splice(binary, random.below(binary.length + 1), 0, Buffer.from([random.below(256)])),
  (binary, random) => binary.subarray(0, random.below(binary.length)),
  (binary, random) => splice(binary, random.below(binary.length + 1), 0, Buffer.from(random.pick(TOP_LEVEL), "hex")),
  (binary) => Buffer.concat([binary, binary]),
];

/** @type {((fields: Field[], random: Random) => Field[])[]} */
const FIELD_MUTATIONS = [
  (fields, random) => random.shuffled(fields),
  (fields, random) => random.shuffled([...fields, random.pick(fields)]),
  (fields, random) => [...fields, random.pick(fields)],
  (fields, random) => fields.toSpliced(random.below(fields.length), 1),
  (fields, random) => fields.with(random.below(fields.length), { ...random.pick(fields) }),
  (fields, random) => changed(fields, random, (field) => ({ ...field, number: 1 + random.below(16) })),
  (fields, random) =>
    changed(fields, random, (field) => ({ ...field, content: Buffer.from(random.pick(CONTENTS), "hex"), type: 2 })),
  (fields, random) =>
    changed(fields, random, (field) => ({ ...field, content: Buffer.from(random.pick(VARINTS), "hex"), type: 0 })),
  (fields, random) => changed(fields, random, () => odd(random, Buffer.from(random.pick(VARINTS), "hex"), 0)),
  (fields, random) => changed(fields, random, () => odd(random, Buffer.from(random.pick(CONTENTS), "hex"), 2)),
  (fields, random) => random.shuffled([...fields, odd(random, Buffer.from(random.pick(GROUPS), "hex"), 3)]),
  (fields, random) => [...fields, ...fieldsOf(Buffer.from(random.pick(TOP_LEVEL), "hex"))],
  (fields, random) => [...fieldsOf(Buffer.from(random.pick(TOP_LEVEL), "hex")), ...fields],
];

const VARINTS = [
  "00",
  "01",
  "07",
  "08",
  "8100",
  "ffffffffffffffffff01",
  "ffffffff0f",
  "80808080808001",
  "ffffffffffffffffff7f",
  "8080808008",
  "8080808010",
];

/** What follows the tag that starts a group: to an end of some group, which may be the wrong one. */
const GROUPS = ["", "0c", "14", "1c", "080114", "1361141c", "0880808080808080808002" + "24", "ff", "3c"];

/** Contents of fields with a length: texts good and bad, Values of every kind, entries with parts missing. */
const CONTENTS = [
  "", "61", "c3a9", "ff", "c0af", "eda0bd", "efbbbf61", "0800", "2001", "1a0161", "110000000000000840", "11000000000000f07f", "3200", "32020800", "2a00", "2a060a040a001200",
  "0a00", "1200", "12020800", "0a016112020800", "0a01611200", "120208000a0161", "0a0161", "1a03312e30", "1001", "0a01611a03312e30", "0a06726573756c741a03312e30", "22041a03312e30",
]; // biome-ignore format: a table

/** Legal and illegal fields: unknown ones, groups, long varints, wrong types, odd Values, forged `preserved`. */
const TOP_LEVEL = [
  "08ffffffffffffffffff01", "0880808080808080808001", "08ffffffffffffffffff7f", "0880808080808080808002", "088080808080808080808001", "8800", "888000", "8880808000", "888080808000",
  "a00601", "a00680808080808080808002", "a006ffffffffffffffffffff01", "a206026869", "a3060805a406", "a306a306a406a406", "a306", "a406", "a506ffffffff", "a10600000000000000ff", "0000", "0200", "0700", "0f", "f8ffffff0f01", "f8ffffff1f01",
  "3200", "32020800", "32020805", "320b08ffffffffffffffffff01", "3202080132022001", "320c1100000000000000801a0161", "32091100000000000ff07f", "320911000000000000f87f", "3203220161", "32021a00",
  "32022a00", "32023200", "32082a060a040a001200", "32082a060a0412000a00", "32042a020a00", "32072a050a030a0161", "320a2a080a0612020800" + "0a00", "320c2a0a0a030a01610a030a0161", "32023a00",
  "4807", "4808", "48ffffffffffffffffff01", "48808080801048", "488080808010", "3a00", "3a0161", "3a01ff", "3805", "4a0161", "0a0105", "0d01000000", "120161", "1201c0", "12ff", "1aff01",
  "7a00", "7a020a00", "7a0a0a080a01611203" + "1a0162", "7a0b12090a0673746174757312" + "00", "7a0c1a0a0a06726573756c741a00", "7a0f1a0d0a06726573756c741a03312e30", "7a0d1a0b0a06726573756c74" + "1a0131",
  "7a0e0a0c0a05657272" + "6f7212031a0162", "7a0c0a0a0a06737461747573" + "1200", "7a021a00", "7a041a021000", "7a061a04220210" + "05", "7d00000000", "7a01", "820100", "fa0100",
]; // biome-ignore format: a table

/** @param {Uint8Array} binary @param {Random} random */
export function mutateBinary(binary, random) {
  let mutated = Buffer.from(binary);
  for (let left = random.chance(0.7) ? 1 : 2; left > 0 && mutated.length > 0; left--) {
    mutated = random.chance(0.3) ? random.pick(RAW_MUTATIONS)(mutated, random) : mutateFields(mutated, random);
  }
  return mutated;
}

/** One change in one of the messages inside a message, the lengths around it made good again. */
function mutateFields(binary, random) {
  const fields = fieldsOf(binary);
  const messages = [];
  collect(fields, (changed) => changed);
  const { inner, rebuild } = random.pick(messages);
  return bytesOf(rebuild(inner.length === 0 ? inner : random.pick(FIELD_MUTATIONS)(inner, random)));

  function collect(inner, rebuild) {
    messages.push({ inner, rebuild });
    for (const [place, field] of inner.entries()) {
      if (Array.isArray(field.content)) {
        collect(field.content, (content) => rebuild(inner.with(place, { ...field, content })));
      }
    }
  }
}

/** A field of any number, known where it stands or not. */
function odd(random, content, type) {
  return { number: random.chance(0.8) ? random.below(18) : random.pick([100, 536870911]), type, content };
}

function changed(fields, random, change) {
  const place = random.below(fields.length);
  return fields.with(place, change(fields[place]));
}

/** Cuts a message up; what cannot be cut up is left as the bytes it is. @returns {Field[]} */
function fieldsOf(binary) {
  const fields = cut(binary);
  return fields ?? [{ number: 0, type: -1, content: binary }];
}

/** @returns {Field[] | undefined} */
function cut(binary) {
  const fields = [];
  let at = 0;
  while (at < binary.length) {
    const tag = varint();
    const from = at;
    const type = tag & 7;
    if (type === 0) varint();
    else if (type === 1) at += 8;
    else if (type === 5) at += 4;
    else if (type === 2) at += varint();
    else return undefined;
    if (!(at <= binary.length) || tag < 8) return undefined;
    if (type !== 2) fields.push({ number: tag >>> 3, type, content: binary.subarray(from, at) });
    else {
      const end = at;
      at = from;
      const length = varint();
      const content = binary.subarray(end - length, end);
      fields.push({ number: tag >>> 3, type, content: (length > 0 && cut(content)) || content });
      at = end;
    }
  }
  return fields;

  function varint() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = binary[at++];
      if (byte === undefined || shift > 63) return Number.NaN;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }
}

/** @param {Field[]} fields */
function bytesOf(fields) {
  const parts = fields.flatMap(({ number, type, content }) => {
    const bytes = Array.isArray(content) ? bytesOf(content) : content;
    if (type === -1) return [bytes];
    const tag = varintBytes(number * 8 + type);
    return type === 2 ? [tag, varintBytes(bytes.length), bytes] : [tag, bytes];
  });
  return Buffer.concat(parts);
}

function varintBytes(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return Buffer.from([...bytes, value]);
}

function splice(bytes, at, removed, inserted) {
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
}
