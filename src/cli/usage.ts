import { FORMAT_NAMES, factsOf } from "./formats.js";
import { COMMANDS, type Command, type OptionFacts, optionsOf } from "./options.js";

/** What the commands do, for the help. */
const ABOUT: Record<Command, { line: string; text: string; examples: readonly string[] }> = {
  encode: {
    line: "JSON to binary",
    text: `Carries serde's JSON to Protobuf's binary form: one document, or a stream of
one JSON document a line to a stream of size-delimited messages.`,
    examples: [
      "factory-run-wire encode run.json -o run.binpb",
      "factory-run-wire encode runs.ndjson -o runs.delimited --on-error skip",
      "zcat runs.ndjson.gz | factory-run-wire encode --from ndjson > runs.delimited",
    ],
  },
  decode: {
    line: "binary to JSON",
    text: `Carries Protobuf's binary form to serde's JSON: one document, or a stream of
size-delimited messages to one JSON document a line.`,
    examples: [
      "factory-run-wire decode run.binpb --pretty",
      "factory-run-wire decode run.binpb --keys camelCase -o run.json",
      "factory-run-wire decode runs.delimited | head -1",
    ],
  },
  check: {
    line: "look for what cannot be carried over",
    text: `Reads one document or a whole stream, reports every record that encode or decode
would refuse, and says how many there are.`,
    examples: ["factory-run-wire check run.json --strict", "factory-run-wire check runs.delimited"],
  },
  inspect: {
    line: "show a person what is in it",
    text: `Shows what is in an envelope, from either wire: how the run stands and why, its
progress, its result, and what binary keeps besides. Of a stream it shows a
summary.`,
    examples: ["factory-run-wire inspect run.binpb", "factory-run-wire inspect runs.ndjson"],
  },
};

const FORMAT_HELP = `Formats:
${FORMAT_NAMES.map((name) => `  ${name.padEnd(10)} ${formatHelp(name)}`).join("\n")}`;

const EXIT_HELP = "Exit code: 0 done, 1 bad input, 2 wrong usage, or a file that cannot be read or written.";

function formatHelp(name: (typeof FORMAT_NAMES)[number]): string {
  const { title, isStream, endings } = factsOf(name);
  return `${`${title}, ${isStream ? "many records" : "one document"}`.padEnd(37)} ${endings.join(" ")}`;
}

/** The help of the whole command. */
export function usage(): string {
  return `factory-run-wire: Copilot agent-factory runs between serde's JSON and Protobuf

Usage: factory-run-wire COMMAND [FILE|-] [-o FILE] [options]

Commands:
${COMMANDS.map((command) => `  ${command.padEnd(10)} ${ABOUT[command].line}`).join("\n")}

${FORMAT_HELP}

Without FILE, standard input is read. Data goes to standard output, everything
else to standard error.
${EXIT_HELP}

factory-run-wire COMMAND --help shows the options of a command,
factory-run-wire --version the version.
`;
}

/** The help of one command. */
export function commandUsage(command: Command): string {
  const { line, text, examples } = ABOUT[command];
  return `factory-run-wire ${command}: ${line}

Usage: factory-run-wire ${command} [FILE|-] [-o FILE] [options]

${text}

Options:
${optionsOf(command).map(optionHelp).join("\n")}

${FORMAT_HELP}

Examples:
${examples.map((example) => `  ${example}`).join("\n")}

${EXIT_HELP}
`;
}

function optionHelp([name, { short, value, help }]: [string, OptionFacts]): string {
  const spelt = `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
  return help.map((line, index) => `  ${(index === 0 ? spelt : "").padEnd(24)} ${line}`).join("\n");
}
