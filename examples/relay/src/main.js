// Starts the relay, until SIGINT or SIGTERM.

import { parseArgs } from "node:util";
import { startRelay } from "./relay.js";

const { values } = parseArgs({
  options: {
    "http-port": { type: "string", default: "8080" },
    "grpc-port": { type: "string", default: "8081" },
  },
});
const relay = await startRelay({ httpPort: Number(values["http-port"]), grpcPort: Number(values["grpc-port"]) });
// One line for programs: it says that the relay is up, and where.
console.log(JSON.stringify({ http: relay.httpUrl, grpc: relay.grpcUrl }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => relay.close());
