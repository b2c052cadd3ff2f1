import { Encoder } from "cbor-x";

// Plain CBOR: no record extension, which only cbor-x reads.
const encoder = new Encoder({ useRecords: false, mapsAsObjects: true, int64AsNumber: true });

/** CBOR of the JS object. */
export const cborX = {
  name: "cbor-x",
  package: "cbor-x",
  toBinary: (json) => encoder.encode(JSON.parse(new TextDecoder().decode(json))),
  toJson: (binary) => new TextEncoder().encode(JSON.stringify(encoder.decode(binary))),
};
