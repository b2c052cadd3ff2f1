// Values that a factory might return, by name. Each is made anew, since some can be used once only.

/** @param {number} depth @param {(inner: unknown) => unknown} wrap @param {unknown} [inner] */
function nested(depth, wrap, inner = 1) {
  let value = inner;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
}
const inArray = (/** @type {unknown} */ inner) => [inner];
const inObject = (/** @type {unknown} */ inner) => ({ a: inner });

/** @type {{ [name: string]: () => unknown }} */
export const VALUES = {
  nothing: () => undefined,
  null: () => null,
  text: () => "Grüße 😀\0\u2028",
  numbers: () => [0, -1.5, 5e-324, 1e21, Number.MAX_VALUE, 2 ** 53],
  "an object without a prototype": () => Object.assign(Object.create(null), { a: 1 }),
  "a key __proto__": () => JSON.parse('{"__proto__":{"toString":1}}'),
  "the same object twice": () => {
    const shared = { a: [1] };
    return [shared, { shared }];
  },
  "125 arrays": () => nested(125, inArray),
  "126 arrays": () => nested(126, inArray),
  "125 objects": () => nested(125, inObject),
  "126 objects": () => nested(126, inObject),
  "126 with an empty innermost": () => nested(125, inArray, []),
  "a lone high surrogate": () => "\ud83d",
  "a lone low surrogate": () => ({ a: ["\ude00"] }),
  "surrogates in the wrong order": () => "\ude00\ud83d",
  "a lone surrogate in a key": () => ({ "\ud83d": 1 }),
  NaN: () => [Number.NaN],
  Infinity: () => ({ a: Number.POSITIVE_INFINITY }),
  "-0": () => [-0],
  bigint: () => 1n,
  function: () => () => 1,
  "a toJSON method": () => ({ toJSON: () => 1 }),
  symbol: () => [Symbol("s")],
  "a symbol as a key": () => ({ [Symbol("s")]: 1 }),
  "undefined in an object": () => ({ a: undefined }),
  "undefined in an array": () => [undefined],
  "a hole": () => new Array(2),
  "an array with a property": () => Object.assign([1], { extra: 1 }),
  "a cycle": () => {
    /** @type {unknown[]} */
    const cycle = [1];
    cycle.push({ cycle });
    return cycle;
  },
  "a getter": () => ({
    get a() {
      return 1;
    },
  }),
  "an array with a getter": () => Object.defineProperty([1], 0, { get: () => 1 }),
  "a hidden property": () => Object.defineProperty({}, "a", { value: 1 }),
  "a hidden element": () => Object.defineProperty([1], 0, { value: 1, enumerable: false }),
  date: () => new Date(0),
  map: () => ({ map: new Map() }),
  "a boxed string": () => Object("s"),
  "an error": () => [new Error("e")],
  "a typed array": () => new Uint8Array(1),
  "an instance of a class": () => new (class Point {})(),
  "a subclass of Array": () => new (class List extends Array {})(),
  "an object that inherits": () => Object.create({ a: 1 }),
  "a proxy": () => new Proxy({ a: 1 }, {}),
  "a proxy that throws": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return { proxy };
  },
};
