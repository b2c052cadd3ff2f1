import type { WireError } from "../error.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
/** A cut pair of escapes for one character outside the BMP is at most this long. */
const LONGEST_CUT_ESCAPES = 11;
const CUT_LITERAL =
  /^(?:|t|tr|tru|f|fa|fal|fals|n|nu|nul|-|-?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d*)?|true|false|null)$/;
const CUT_CODES = new Set(["syntax", "invalid_utf8"]);

/**
 * Whether a fault in a JSON text is only that the text stops: some container
 * or string is still open at its end, and nothing before the cut is wrong.
 *
 * A log whose writer was killed ends like this, and its reader wants to know
 * that apart from text that was never JSON.
 */
export function isCutOff(json: Uint8Array, fault: WireError): boolean {
  if (!CUT_CODES.has(fault.code)) return false;
  const offset = fault.offset ?? 0;
  let open = 0;
  let stringStart = -1;
  let tokenStart = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (stringStart >= 0) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) {
        stringStart = -1;
        tokenStart = at + 1;
      }
    } else if (byte === QUOTE) {
      stringStart = at;
    } else if (!isInLiteral(byte)) {
      if (OPENING.has(byte)) open++;
      else if (CLOSING.has(byte)) open--;
      tokenStart = at + 1;
    }
  }
  if (stringStart >= 0)
    return offset === stringStart || offset >= Math.max(stringStart, json.length - LONGEST_CUT_ESCAPES);
  if (open <= 0 || offset < tokenStart) return false;
  return CUT_LITERAL.test(String.fromCharCode(...json.subarray(tokenStart, tokenStart + 400)));
}

/** Letters, digits, signs and the point: what words and numbers are made of. */
function isInLiteral(byte: number): boolean {
  const lower = byte | 0x20;
  return (
    (lower >= 0x61 && lower <= 0x7a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e
  );
}
