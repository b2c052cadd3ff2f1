import { JsonSink } from "./json-sink.js";
import { encodeUtf8, encodeUtf8Into } from "./utf8.js";

/** Strings up to this length are written by hand: calling the platform's encoder takes as long as this many characters do. */
const BY_HAND = 48;
/** Longer ones are encoded into a buffer of this size if they surely fit. */
const SMALL_BYTES = 8192;

/** A growing buffer of JSON text, written from JS values. */
export abstract class JsonTextSink extends JsonSink {
  private readonly small = new Uint8Array(SMALL_BYTES);
  private readonly smallView = new DataView(this.small.buffer);

  constructor() {
    super();
    this.read(this.small, this.smallView);
  }

  private read(src: Uint8Array, view: DataView): void {
    this.src = src;
    this.srcView = view;
    this.lastWord = src.length - 4;
  }

  protected byte(byte: number): void {
    this.ensure(1);
    this.out[this.o++] = byte;
  }

  /** Ends a container. Without anything in it, it is still to be begun, which is when `before` is its opening bracket. */
  protected close(before: number, open: number, close: number): void {
    if (before === open) this.byte(open);
    this.byte(close);
  }

  /** Writes a string, and around it the bytes `before` and `after` unless they are 0. */
  protected text(text: string, before = 0, after = 0): void {
    const size = text.length;
    if (size <= BY_HAND) {
      this.ensure(size);
      const out = this.out;
      let o = this.o | 0;
      out[o] = before;
      if (before !== 0) o++;
      out[o++] = 0x22;
      let i = 0;
      for (; i < size; i++) {
        const unit = text.charCodeAt(i);
        if ((unit - 0x20) >>> 0 > 0x5f || unit === 0x22 || unit === 0x5c) break;
        out[o++] = unit;
      }
      if (i === size) {
        out[o] = 0x22;
        out[o + 1] = after;
        this.o = after === 0 ? o + 1 : o + 2;
        return;
      }
    }
    if (before !== 0) this.byte(before);
    this.encoded(text);
    if (after !== 0) this.byte(after);
  }

  /** Writes a string that the platform encodes. A lone surrogate becomes U+FFFD. */
  protected encoded(text: string): void {
    if (text.length * 3 <= SMALL_BYTES) {
      this.string(0, encodeUtf8Into(text, this.small));
      return;
    }
    const bytes = encodeUtf8(text);
    this.read(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
    this.string(0, bytes.length);
    this.read(this.small, this.smallView);
  }

  override reset(): void {
    super.reset();
    // What was passed in is not kept, if writing it failed.
    this.read(this.small, this.smallView);
  }
}
