// The reference: what one would write with the platform alone. It does less
// than all others, since no binary is made or read: to JSON, it starts from
// the JS object.

/** As it is written on one line. */
export const platform = {
  name: "platform",
  toBinary: (json) => JSON.parse(new TextDecoder().decode(json)),
  toJson: (object) => new TextEncoder().encode(JSON.stringify(object)),
};

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The same with a decoder and an encoder that are kept. */
export const platformKept = {
  name: "platform, kept coders",
  toBinary: (json) => JSON.parse(decoder.decode(json)),
  toJson: (object) => encoder.encode(JSON.stringify(object)),
};
