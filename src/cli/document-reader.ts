import { WireError } from "../error.js";
import { ByteBuffer } from "../stream/byte-buffer.js";
import type { RecordReader, StreamRecord } from "../stream/record-reader.js";

const NOTHING = new Uint8Array(0);

/** Takes a whole file as its one record. */
export class DocumentReader implements RecordReader {
  readonly #maxBytes: number;
  readonly #bytes = new ByteBuffer();
  #state: "reading" | "ended" | "done" = "reading";
  #tooLarge = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    if (this.#state !== "reading") return;
    if (this.#bytes.length + chunk.length > this.#maxBytes) this.#tooLarge = true;
    else this.#bytes.add(chunk);
  }

  end(): void {
    if (this.#state === "reading") this.#state = "ended";
  }

  next(): StreamRecord | undefined {
    if (this.#state === "done") return undefined;
    if (this.#tooLarge) {
      this.#state = "done";
      const message = `the input of at least ${this.#maxBytes + 1} bytes is over the limit of ${this.#maxBytes} bytes`;
      return { bytes: NOTHING, number: 1, offset: 0, fault: new WireError("too_large", message, { offset: 0 }) };
    }
    if (this.#state === "reading") return undefined;
    this.#state = "done";
    return { bytes: this.#bytes.view(), number: 1, offset: 0 };
  }
}
