// Number texts: how doubles print, and which texts must be kept beside the double.
import { isNumberText } from "./lossless.js";

/** A double as serde_json prints it and JavaScript nearly does. @param {number} double */
export function printDouble(double) {
  if (Object.is(double, -0)) return "-0.0";
  const size = Math.abs(double);
  if (size >= 1e-6 && size < 1e-5) return double.toExponential();
  return String(double);
}

/** Whether the text says more than its double would. @param {string} text */
export function isKept(text) {
  const isInteger = (number) => /^-?\d+$/.test(number);
  if (text === "-0") return false;
  const printed = printDouble(Number(text));
  return isInteger(text) ? printed !== text : isInteger(printed);
}

/** The text that stands for a double: that of its entry where the entry is good, else the double's own. */
export function numberText(double, entry) {
  const good = entry !== undefined && isNumberText(entry) && isKept(entry) && Object.is(Number(entry), double);
  return good ? entry : printDouble(double);
}
