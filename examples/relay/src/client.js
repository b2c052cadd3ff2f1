// Reads a run from a relay and prints each state as serde's JSON, one a line:
//
//   node src/client.js get|watch URL RUN_ID [--protocol grpc|connect] [--keys snake_case|camelCase]

import { parseArgs } from "node:util";
import { ConnectError } from "@connectrpc/connect";
import { SessionFactoryRunFromToolResultSchema as schema, toSerdeJsonString } from "factory-run-wire";
import { createRelayClient } from "./relay-client.js";

const calls = {
  get: async function* (client, runId) {
    yield await client.getRun({ runId });
  },
  watch: (client, runId) => client.watchRun({ runId }),
};

/** By option: what it may be; the first is meant where it is not given. */
const choices = { protocol: ["grpc", "connect"], keys: ["snake_case", "camelCase"] };

const { command, url, runId, protocol, keys } = argumentsOf() ?? usage();
try {
  for await (const { run } of calls[command](createRelayClient(url, { protocol }), runId)) {
    console.log(toSerdeJsonString(schema, run, { keys }));
  }
} catch (error) {
  console.error(ConnectError.from(error).message);
  process.exitCode = 1;
}

function argumentsOf() {
  try {
    const options = Object.fromEntries(
      Object.entries(choices).map(([name, words]) => [name, { type: "string", default: words[0] }]),
    );
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [command, url, runId, ...rest] = positionals;
    const known = Object.entries(choices).every(([name, words]) => words.includes(values[name]));
    if (known && Object.hasOwn(calls, command) && runId !== undefined && rest.length === 0) {
      return { command, url, runId, ...values };
    }
  } catch {
    // An option that does not exist.
  }
}

function usage() {
  console.error("usage: client.js get|watch URL RUN_ID [--protocol grpc|connect] [--keys snake_case|camelCase]");
  process.exit(2);
}
