// The same runs for plain HTTP clients:
//
//   GET /runs/ID    the newest envelope, as Protobuf or as JSON, whichever Accept prefers
//   PUT /runs/ID    a newer one, in either form
//   GET /status     what the relay holds
//
// It is written for what Node's http and http2 servers have in common.

import { binaryToSerdeJson, SessionFactoryRunFromToolResultSchema as schema, WireError } from "factory-run-wire";
import { preferred } from "./accept.js";
import { WrongRun } from "./runs.js";

const JSON_TYPE = "application/json";
const PROTOBUF_TYPE = "application/x-protobuf";

/** By media type: how an envelope is written. JSON goes first, for clients that do not say. */
const writers = {
  [JSON_TYPE]: (binary, keys) => binaryToSerdeJson(schema, binary, { keys }),
  [PROTOBUF_TYPE]: (binary) => binary,
};

/** By media type: how an envelope is read. */
const readers = {
  [JSON_TYPE]: (runs, body, runId) => runs.publishJson(body, runId),
  [PROTOBUF_TYPE]: (runs, body, runId) => runs.publishBinary(body, runId),
};

/** By the member keys=... of the query. */
const keyStyles = { null: "snake_case", snake_case: "snake_case", camelCase: "camelCase" };

/** A request that cannot be served as it stands. */
class HttpError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * @param {import("./runs.js").Runs} runs
 * @returns {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => void}
 */
export function httpHandler(runs) {
  return async (request, response) => {
    try {
      await route(runs, request, response);
    } catch (error) {
      // A peer that went away needs no answer.
      if (request.destroyed && !request.complete) return;
      sendError(response, error);
    }
  };
}

async function route(runs, request, response) {
  const url = new URL(request.url, "http://relay");
  const [, folder, id, ...rest] = url.pathname.split("/");
  if (folder === "status" && id === undefined && request.method === "GET") {
    send(response, 200, JSON_TYPE, JSON.stringify({ ...runs.status, rssBytes: process.memoryUsage.rss() }));
  } else if (folder === "runs" && id !== undefined && id !== "" && rest.length === 0) {
    const runId = decoded(id);
    if (request.method === "GET" || request.method === "HEAD") get(runs, runId, url, request, response);
    else if (request.method === "PUT") await put(runs, runId, request, response);
    else throw new HttpError(405, "method", "a run is read with GET and written with PUT");
  } else {
    throw new HttpError(404, "path", `nothing at ${url.pathname}`);
  }
}

function get(runs, runId, url, request, response) {
  const run = runs.get(runId);
  if (run === undefined) throw new HttpError(404, "not_found", `no run ${runId}`);
  const type = preferred(request.headers.accept, Object.keys(writers));
  if (type === undefined) {
    throw new HttpError(406, "not_acceptable", `a run is served as ${Object.keys(writers).join(" or ")}`);
  }
  const keys = keyStyles[url.searchParams.get("keys")];
  if (keys === undefined) throw new HttpError(400, "keys", "keys is snake_case or camelCase");
  response.setHeader("vary", "accept");
  response.setHeader("etag", `"${run.revision}-${keys}"`);
  send(response, 200, type, writers[type](run.binary, keys));
}

async function put(runs, runId, request, response) {
  const type = (request.headers["content-type"] ?? "").split(";")[0].trim().toLowerCase();
  if (!Object.hasOwn(readers, type)) {
    throw new HttpError(415, "media_type", `a run is taken as ${Object.keys(readers).join(" or ")}`);
  }
  const body = await bodyOf(request, runs.maxBytes);
  readers[type](runs, body, runId);
  send(response, 204);
}

/** The whole body. What is over the limit is read and thrown away, so that the peer sees the answer. */
async function bodyOf(request, maxBytes) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (size > 16 * maxBytes) {
      request.destroy();
      break;
    }
  }
  if (size > maxBytes) throw new HttpError(413, "too_large", `more than ${maxBytes} bytes`);
  return Buffer.concat(chunks);
}

function decoded(id) {
  try {
    return decodeURIComponent(id);
  } catch {
    throw new HttpError(400, "path", "the run's identifier is not percent-encoded UTF-8");
  }
}

function sendError(response, error) {
  if (error instanceof WireError) {
    const { code, rawMessage: message, pointer, offset, line, column } = error;
    const status = code === "too_large" ? 413 : 400;
    send(response, status, JSON_TYPE, JSON.stringify({ code, message, pointer, offset, line, column }));
  } else if (error instanceof WrongRun) {
    send(response, 400, JSON_TYPE, JSON.stringify({ code: "wrong_run", message: error.message }));
  } else if (error instanceof HttpError) {
    send(response, error.status, JSON_TYPE, JSON.stringify({ code: error.code, message: error.message }));
  } else {
    console.error(error);
    send(response, 500, JSON_TYPE, JSON.stringify({ code: "internal", message: "the relay has a fault" }));
  }
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {string} [type]
 * @param {string | Uint8Array} [body]
 */
function send(response, status, type, body = "") {
  response.statusCode = status;
  if (type !== undefined) response.setHeader("content-type", type);
  if (body.length > 0) response.setHeader("content-length", Buffer.byteLength(body));
  response.end(body);
}
