// A stand-in for the Copilot runtime: as much of its JSON-RPC as the SDK needs to run factories, and no more. The SDK
// on the other side is the real one. It is what lets the example run without a Copilot subscription.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import {
  createMessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node.js";
import { serdeFrames } from "./serde-frames.js";

const PROTOCOL_VERSION = 3;

/** @typedef {import("@github/copilot-sdk").FactoryRunResult} FactoryRunResult */

/**
 * Starts an extension as the runtime does, and a port for apps.
 *
 * @param {string | URL} extension the file to start
 * @param {object} [options]
 * @param {{ [factory: string]: FactoryRunResult }} [options.recorded] envelopes to answer with for factories of other
 *   extensions
 * @param {(text: string) => void} [options.onDrop] told of each frame that the runtime could not read
 */
export async function startStandInRuntime(extension, { recorded = {}, onDrop = () => {} } = {}) {
  const child = spawn(process.execPath, [fileURLToPath(extension)], {
    env: { ...process.env, SESSION_ID: randomUUID() },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const journal = new Map();
  const extensionSide = connect(child.stdout.pipe(serdeFrames(onDrop)), child.stdin, {
    "session.resume": ({ sessionId }) => ({ sessionId, capabilities: {} }),
    "session.factory.log": () => ({}),
    "session.factory.journal.get": ({ runId, key }) => ({
      hit: journal.has(`${runId} ${key}`),
      resultJson: journal.get(`${runId} ${key}`),
    }),
    "session.factory.journal.put": ({ runId, key, resultJson }) => {
      journal.set(`${runId} ${key}`, resultJson);
      return {};
    },
  });
  const joined = new Promise((resolve, reject) => {
    extensionSide.joined = resolve;
    child.once("exit", (code) => reject(new Error(`the extension ended with ${code}`)));
  });
  const sessionId = /** @type {string} */ (await joined);

  /** Has the extension execute a factory, and makes the envelope of what comes of it. */
  async function run(/** @type {string} */ name, /** @type {unknown} */ args) {
    if (Object.hasOwn(recorded, name)) return recorded[name];
    const runId = randomUUID();
    const request = { sessionId, runId, name, args, executionToken: randomUUID() };
    try {
      const executed = await extensionSide.connection.sendRequest("factory.execute", request);
      return { runId, attempt: 1, status: "completed", .../** @type {object} */ (executed) };
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      return { runId, attempt: 1, status: "error", error: message, snapshot: { journal: [], progress: [] } };
    }
  }

  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    connect(socket, socket, {
      "session.create": (params) => ({ sessionId: params.sessionId, capabilities: {} }),
      "session.factory.run": ({ name, args }) => run(name, args),
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

  return {
    /** Where apps connect to, for `RuntimeConnection.forUri`. */
    url: `127.0.0.1:${port}`,
    run,
    async stop() {
      child.removeAllListeners("exit");
      extensionSide.connection.dispose();
      child.kill();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Answers requests by a table; what is not in it is a method that this stand-in does not have.
 *
 * @param {NodeJS.ReadableStream} input
 * @param {NodeJS.WritableStream} output
 * @param {{ [method: string]: (params: any) => unknown }} methods
 */
function connect(input, output, methods) {
  const connection = createMessageConnection(new StreamMessageReader(input), new StreamMessageWriter(output));
  const side = { connection, joined: (/** @type {string} */ _sessionId) => {} };
  connection.onRequest("connect", () => ({ ok: true, protocolVersion: PROTOCOL_VERSION, version: "0.0.0" }));
  connection.onRequest((method, params) => {
    const answer = methods[method];
    if (answer === undefined) return new ResponseError(-32601, `Unhandled method ${method}`);
    if (method === "session.resume") setImmediate(() => side.joined(/** @type {any} */ (params).sessionId));
    return answer(params);
  });
  connection.listen();
  return side;
}
