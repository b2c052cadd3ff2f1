import { type ParseArgsConfig, parseArgs } from "node:util";
import type { SerdeReadOptions, SerdeWriteOptions } from "../options.js";
import { UsageError } from "./errors.js";
import { FORMAT_NAMES, type Format } from "./formats.js";

export const COMMANDS = ["encode", "decode", "check", "inspect"] as const;
export type Command = (typeof COMMANDS)[number];

/** What the command line asks for. */
export interface Request {
  readonly command: Command;
  /** The input's path; undefined for standard input. */
  readonly file: string | undefined;
  /** The output's path; undefined for standard output. */
  readonly output: string | undefined;
  readonly from: Format | undefined;
  readonly to: Format | undefined;
  readonly pretty: boolean;
  readonly force: boolean;
  readonly quiet: boolean;
  readonly onError: "stop" | "skip";
  readonly maxBytes: number | undefined;
  /** For the transcoders, but for the limit, whose default is the format's. */
  readonly read: Omit<SerdeReadOptions, "maxBytes">;
  readonly write: Omit<SerdeWriteOptions, "maxBytes">;
}

/** One option of the command line. */
export interface OptionFacts {
  /** What stands behind it, when it takes a value. */
  readonly value?: string;
  readonly short?: string;
  /** What it does, in lines for the help. */
  readonly help: readonly string[];
  /** The commands that take it, all when not given. */
  readonly commands?: readonly Command[];
}

const CONVERTING = ["encode", "decode"] as const;

/** Every option, in the order of the help. */
export const OPTIONS = {
  from: {
    value: "FORMAT",
    help: ["what the input is; by default its file ending says it,", "else its first bytes (json or binary)"],
  },
  to: {
    value: "FORMAT",
    help: ["what the output is; by default the ending of -o FILE says it,", "else it is the other form of the input"],
    commands: CONVERTING,
  },
  output: { value: "FILE", short: "o", help: ["write to FILE, once it is whole; - is standard output"] },
  keys: {
    value: "STYLE",
    help: ["how JSON out spells the fields: snake_case (the default),", "or camelCase as the Copilot runtime does"],
    commands: CONVERTING,
  },
  pretty: {
    help: ["break and indent the JSON of one document;", "numbers and order stay as they are"],
    commands: CONVERTING,
  },
  strict: { help: ["refuse members that the schema does not name (--unknown reject)"] },
  unknown: { value: "HOW", help: ["what becomes of them: keep (the default), drop or reject"] },
  numbers: {
    value: "HOW",
    help: ["exact (the default) keeps number texts that a double", "would not give back, double keeps none"],
  },
  "max-nesting": {
    value: "N",
    help: [
      "message levels of nested values that are written",
      "(default 100, where prost, C++ and Java stop), or none",
    ],
  },
  "max-bytes": {
    value: "N",
    help: [
      "the most bytes of one record, with K, M or G for units of",
      "1024 (default 64M; 512M for one binary document)",
    ],
  },
  "on-error": {
    value: "HOW",
    help: [
      "in a stream: stop (the default) at the first bad record,",
      "or skip it, report it and exit with 1 at the end",
    ],
    commands: CONVERTING,
  },
  force: { help: ["write binary to a terminal all the same"], commands: CONVERTING },
  quiet: { short: "q", help: ["no progress bar and no closing line"] },
  help: { short: "h", help: ["show this help"] },
} satisfies Record<string, OptionFacts>;

export const OPTION_LIST = Object.entries(OPTIONS) as [keyof typeof OPTIONS, OptionFacts][];

/** The options that a command takes. */
export function optionsOf(command: Command): typeof OPTION_LIST {
  return OPTION_LIST.filter(([, facts]) => facts.commands === undefined || facts.commands.includes(command));
}

/**
 * Reads the arguments behind a command's name.
 *
 * @returns undefined when they ask for the command's help.
 * @throws UsageError for arguments that make no sense.
 */
export function parseRequest(command: Command, args: string[]): Request | undefined {
  const { values, positionals } = parse(command, args);
  if (values.help === true) return undefined;
  if (positionals.length > 1) throw new UsageError(`one input at a time, not ${positionals.length}`);
  const text = (name: keyof typeof OPTIONS) => values[name] as string | undefined;
  const choice = <T extends string>(name: keyof typeof OPTIONS, choices: readonly T[]): T | undefined => {
    const value = text(name);
    if (value === undefined || choices.includes(value as T)) return value as T | undefined;
    throw new UsageError(`--${name} is one of ${choices.join(", ")}, not ${JSON.stringify(value)}`);
  };
  const unknown = choice("unknown", ["keep", "drop", "reject"]) ?? (values.strict === true ? "reject" : "keep");
  if (values.strict === true && unknown !== "reject")
    throw new UsageError(`--strict and --unknown ${unknown} exclude each other`);
  const maxNesting = nesting(text("max-nesting"));
  return {
    command,
    file: positionals[0] === "-" ? undefined : positionals[0],
    output: text("output") === "-" ? undefined : text("output"),
    from: choice("from", FORMAT_NAMES),
    to: choice("to", FORMAT_NAMES),
    pretty: values.pretty === true,
    force: values.force === true,
    quiet: values.quiet === true,
    onError: choice("on-error", ["stop", "skip"]) ?? "stop",
    maxBytes: bytes(text("max-bytes")),
    read: {
      unknownMembers: unknown,
      numbers: choice("numbers", ["exact", "double"]) ?? "exact",
      ...(maxNesting === undefined ? {} : { maxNesting }),
    },
    write: { keys: choice("keys", ["snake_case", "camelCase"]) ?? "snake_case" },
  };
}

function parse(command: Command, args: string[]) {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const [name, { value, short }] of optionsOf(command)) {
    options[name] = { type: value === undefined ? "boolean" : "string", ...(short === undefined ? {} : { short }) };
  }
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (!(error instanceof Error) || !code?.startsWith("ERR_PARSE_ARGS")) throw error;
    // The first sentence names the argument; what follows explains the parser.
    throw new UsageError(error.message.split(/\. |\n/)[0], { cause: error });
  }
}

function nesting(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text === "none" || text === "Infinity") return Number.POSITIVE_INFINITY;
  if (!/^[0-9]{1,9}$/.test(text))
    throw new UsageError(`--max-nesting is a number of levels or none, not ${JSON.stringify(text)}`);
  return Number(text);
}

const BYTE_UNITS: Record<string, number> = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

function bytes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parts = /^([0-9]{1,12})([KMG]?)$/i.exec(text);
  if (parts === null)
    throw new UsageError(`--max-bytes is a number with K, M or G or without, not ${JSON.stringify(text)}`);
  return Number(parts[1]) * BYTE_UNITS[parts[2].toUpperCase()];
}
