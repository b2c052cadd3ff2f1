/** A reference token of a JSON Pointer with its slash, escaped as RFC 6901 section 3 asks. */
export function pointerToken(key: string | number): string {
  return typeof key === "number" ? `/${key}` : `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
