/**
 * Everything that a terminal could take for an order or that would reorder the
 * text around it: control characters, line and paragraph separators, marks and
 * overrides of writing direction, the byte order mark.
 */
const HARMFUL = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Text from outside, safe to show: on one line, with whatever is harmful as its JSON escape. */
export function harmless(text: string): string {
  return text.replace(HARMFUL, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Harmless text of at most so many characters, the middle left out. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return harmless(text);
  const head = Math.ceil((most - 1) * 0.7);
  const tail = most - 1 - head;
  // Cut by UTF-16 units, then drop the halves of pairs that this has left at the cut.
  const start = text.slice(0, head).replace(/[\ud800-\udbff]$/, "");
  const end = tail > 0 ? text.slice(-tail).replace(/^[\udc00-\udfff]/, "") : "";
  return `${harmless(start)}…${harmless(end)}`;
}

/** The few ways in which text is set off, as SGR codes. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Style = keyof typeof STYLES;

/** Sets text off, or leaves it as it is where there is no colour. */
export type Paint = (style: Style, text: string) => string;

/** Colour only where a person looks at it, and not where they asked for none (NO_COLOR, a dumb terminal). */
export function painter(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Paint {
  const colour = stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  if (!colour) return (_, text) => text;
  return (style, text) => `\u001b[${STYLES[style][0]}m${text}\u001b[${STYLES[style][1]}m`;
}

/** 1234567 as 1,234,567, whatever the locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A count with its noun: 1 record, 2 records. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** A size for people: 812 bytes, 1.2 kB, 340 MB; decimal units. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  if (unit === 0) return counted(Math.round(bytes), "byte");
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}
