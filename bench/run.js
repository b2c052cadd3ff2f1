// npm run bench: what is measured, and how it is shown.
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { cases } from "./cases.js";
import { measureCase, measureOthers, prepare, sizesOf } from "./codec.js";
import { measureCold } from "./cold.js";
import { measureDepth } from "./depth.js";
import { environment } from "./environment.js";
import { measureGrowth } from "./growth.js";
import { measureHostile } from "./hostile.js";
import { measureMemory } from "./memory.js";
import { measureMessages } from "./messages.js";
import { asMarkdown, asText } from "./report.js";

/** The parts that go through the cases: what is measured of each, and with how much of the time. */
const caseParts = {
  cases: { about: "ours against the platform", measure: measureEffort(measureCase, 1.2) },
  others: { about: "the other libraries against ours", measure: measureEffort(measureRest, 0.6) },
  sizes: { about: "bytes on the wire by format", measure: (prepared) => sizesOf(prepared) },
};

/** The parts that bring their own documents. */
const ownParts = {
  growth: { about: "time per byte from 64 KB to 16 MB", measure: measureGrowth, share: 1 },
  depth: { about: "the same content flat and deep", measure: measureDepth, share: 0.5 },
  hostile: { about: "shapes made to be slow", measure: measureHostile, share: 0.3 },
  messages: { about: "the message functions against Protobuf-ES's", measure: measureMessages, share: 1 },
  cold: { about: "a fresh process's first calls", measure: () => measureCold() },
  memory: { about: "peak memory at 64 MB", measure: () => measureMemory() },
};

const USAGE = `Usage: npm run bench -- [OPTION]... [NAME]...

Measures factory-run-wire against the platform's JSON functions and other
libraries. Without a NAME everything is measured; else the named cases, the
named parts, or the named parts of the named cases.

Cases:
${list(Object.entries(cases))}

Parts:
${list([...Object.entries(caseParts), ...Object.entries(ownParts)])}

Options:
  --seconds N   about how long each measurement goes on, default 1
  --rounds N    how many rounds each measurement has, instead
  --json        the results as one JSON value
  --markdown    the tables as Markdown
  --check       exit with 1 when a bar is missed
  --help        this text

Exit: 0 done, 1 something failed (with --check: or missed its bar), 2 wrong usage.
`;

process.exitCode = main(process.argv.slice(2));

function main(args) {
  const request = read(args);
  if (typeof request === "string") {
    process.stderr.write(`${request}\n\n${USAGE}`);
    return 2;
  }
  if (request.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const [load] = loadavg();
  if (load > 1) process.stderr.write(`The machine is busy (load ${load.toFixed(1)}): the figures will be rough.\n`);
  const results = measure(request);
  results.command = ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
  const print = request.json ? (all) => `${JSON.stringify(all, null, 2)}\n` : request.markdown ? asMarkdown : asText;
  process.stdout.write(print(results));
  const missed = missedBars(results.parts);
  if (missed > 0) process.stderr.write(`${missed} over the bar\n`);
  return results.failures.length > 0 || (request.check && missed > 0) ? 1 : 0;
}

/** The arguments' meaning, or what is wrong with them. */
function read(args) {
  const options = {
    seconds: { type: "string" },
    rounds: { type: "string" },
    json: { type: "boolean" },
    markdown: { type: "boolean" },
    check: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  };
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    return error.message;
  }
  const { values, positionals } = parsed;
  for (const name of ["seconds", "rounds"]) {
    if (values[name] !== undefined && !(Number(values[name]) > 0)) return `--${name} takes a number above 0`;
  }
  const parts = { ...caseParts, ...ownParts };
  const unknown = positionals.find((name) => !Object.hasOwn(cases, name) && !Object.hasOwn(parts, name));
  if (unknown !== undefined) return `there is no case and no part "${unknown}"`;
  const chosenCases = positionals.filter((name) => Object.hasOwn(cases, name));
  const chosenParts = positionals.filter((name) => Object.hasOwn(parts, name));
  return {
    ...values,
    seconds: Number(values.seconds ?? 1),
    rounds: values.rounds === undefined ? undefined : Math.ceil(Number(values.rounds)),
    cases: chosenCases.length > 0 ? chosenCases : Object.keys(cases),
    parts: chosenParts.length > 0 ? chosenParts : Object.keys(chosenCases.length > 0 ? caseParts : parts),
  };
}

/** Measures what was asked for. What fails is noted, and the rest goes on. */
function measure({ cases: chosenCases, parts: chosenParts, seconds, rounds }) {
  const parts = {};
  const failures = [];
  const attempt = (name, work) => {
    process.stderr.write(`${name} ...\n`);
    try {
      work();
    } catch (error) {
      failures.push(`${name}: ${error.stack ?? error}`);
    }
  };
  const perCase = Object.entries(caseParts).filter(([part]) => chosenParts.includes(part));
  for (const [part] of perCase) parts[part] = {};
  for (const name of perCase.length > 0 ? chosenCases : []) {
    attempt(name, () => {
      const prepared = prepare(cases[name]);
      for (const [part, { measure: run }] of perCase) {
        parts[part][name] = run(prepared, cases[name].bars, { seconds, rounds });
      }
    });
  }
  for (const [part, { measure: run, share }] of Object.entries(ownParts)) {
    if (!chosenParts.includes(part)) continue;
    attempt(part, () => {
      parts[part] = run({ seconds: seconds * share, rounds }, attempt);
    });
  }
  return { environment: environment(), parts, failures };
}

function measureEffort(run, share) {
  return (prepared, bars, { seconds, rounds }) => run(prepared, bars, { seconds: seconds * share, rounds });
}

function measureRest(prepared, _bars, effort) {
  return measureOthers(prepared, { leastRounds: 7, warmUp: effort.seconds / 8, ...effort });
}

function missedBars(parts) {
  return JSON.stringify(parts).split('"holds":false').length - 1;
}

function list(entries) {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`).join("\n");
}
