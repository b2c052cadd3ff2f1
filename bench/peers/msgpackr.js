import { Packr } from "msgpackr";

// Plain MessagePack: no record extension, which only msgpackr reads.
const packr = new Packr({ useRecords: false, int64AsType: "number" });

/** MessagePack of the JS object. */
export const msgpackr = {
  name: "msgpackr",
  package: "msgpackr",
  toBinary: (json) => packr.pack(JSON.parse(new TextDecoder().decode(json))),
  toJson: (binary) => new TextEncoder().encode(JSON.stringify(packr.unpack(binary))),
};
