import { describe, type JsonNode, memberOf, outlineLines, stringOf } from "./json-outline.js";
import { counted, harmless, type Paint, shortened } from "./terminal.js";

/** So many of the last progress lines are shown, and of the first finished steps. */
const PROGRESS_SHOWN = 100;
const STEPS_SHOWN = 20;
const TEXT_LENGTH = 400;

/** A part of the report: its label, and its lines. */
export type Section = readonly [label: string, lines: readonly string[]];

/** The snapshot of a run that stopped: what it said on its way, and the steps that it had finished. */
export function snapshotSections(snapshot: JsonNode, paint: Paint): Section[] {
  const journal = memberOf(snapshot, "journal");
  const progress = memberOf(snapshot, "progress");
  if (journal?.kind !== "array" || progress?.kind !== "array") return [["snapshot", outlineLines(snapshot)]];
  return [
    ["progress", progressLines(progress, paint)],
    ["journal", journalLines(journal, paint)],
  ];
}

function progressLines({ count, children }: JsonNode, paint: Paint): string[] {
  if (count === 0) return [paint("dim", "no lines")];
  const shown = children.slice(-PROGRESS_SHOWN);
  const rows = shown.map(([, line]) => progressRow(line));
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map(([seq, time, attempt, kind, text]) => {
    const place = [seq.padStart(widths[0]), time.padEnd(widths[1]), attempt.padEnd(widths[2])].join("  ");
    return `${paint("dim", place)}  ${kind.padEnd(widths[3])}  ${text}`;
  });
  const left = count - shown.length;
  return [counted(count, "line"), ...(left > 0 ? [paint("dim", `… ${counted(left, "earlier line")}`)] : []), ...lines];
}

function progressRow(line: JsonNode): [string, string, string, string, string] {
  const number = (key: string) => memberOf(line, key)?.text;
  const kind = stringOf(memberOf(line, "kind"));
  const phase = stringOf(memberOf(line, "phaseId"));
  const text = stringOf(memberOf(line, "text"));
  if (kind === undefined || text === undefined) return ["", "", "", "?", describe(line)];
  const attempt = number("attempt");
  return [
    `#${number("seq") ?? "?"}`,
    timeOf(number("recordedAt")),
    attempt === undefined ? "" : `attempt ${attempt}`,
    harmless(phase === undefined ? kind : `${kind} ${phase}`),
    shortened(text, TEXT_LENGTH),
  ];
}

/** Milliseconds since 1970 as a time, in UTC so that everybody reads the same. */
function timeOf(text: string | undefined): string {
  const date = new Date(Number(text));
  if (text === undefined || Number.isNaN(date.getTime())) return "";
  return date.toISOString().replace("T", " ").replace("Z", " UTC");
}

function journalLines({ count, children }: JsonNode, paint: Paint): string[] {
  if (count === 0) return [paint("dim", "no finished steps")];
  const shown = children.slice(0, STEPS_SHOWN);
  const lines = shown.map(([, step]) => {
    const key = stringOf(memberOf(step, "journalKey"));
    const result = stringOf(memberOf(step, "resultJson"));
    if (key === undefined || result === undefined) return describe(step);
    return `${paint("dim", shortened(key, 13))}  ${shortened(result, 100)}`;
  });
  const left = count - shown.length;
  return [
    counted(count, "finished step"),
    ...lines,
    ...(left > 0 ? [paint("dim", `… ${counted(left, "more", "more")}`)] : []),
  ];
}
