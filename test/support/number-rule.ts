// Section 3 of docs/wire-format.md in plain words: what a number token prints as after a way over the wire.

/** How a double prints when no text is kept for it. */
export function printedDouble(double: number): string {
  if (Object.is(double, -0)) return "-0.0";
  const size = Math.abs(double);
  return size >= 1e-6 && size < 1e-5 ? double.toExponential() : String(double);
}

/** Whether the token's text is kept beside its double. */
export function isKept(token: string): boolean {
  const printed = printedDouble(Number(token));
  if (/[.eE]/.test(token)) return /^-?\d+$/.test(printed);
  return token !== "-0" && printed !== token;
}

/** Whether JSON with this token is accepted. */
export function isInRange(token: string): boolean {
  const size = Math.abs(Number(token));
  return Number.isFinite(size) && (/[.eE]/.test(token) || size < Number.MAX_VALUE);
}

/** What the token prints as. */
export function printedNumber(token: string): string {
  return isKept(token) ? token : printedDouble(Number(token));
}
