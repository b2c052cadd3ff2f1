// The relay: runs in, and two servers that hand them on.

import { once } from "node:events";
import { createServer as createHttp1Server } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { httpHandler } from "./http.js";
import { relayRoutes } from "./rpc.js";
import { Runs } from "./runs.js";

/** A request names a run and nothing else. */
const MAX_REQUEST_BYTES = 16 * 1024;

/**
 * Starts a relay on the loopback interface. It asks nobody who they are: put what does in front of it.
 *
 * Both servers serve everything, but gRPC needs HTTP/2, and browsers and curl speak HTTP/1.1 where there is no TLS.
 *
 * @param {object} [options]
 * @param {number} [options.httpPort] for HTTP/1.1; 0 (the default) takes a free one
 * @param {number} [options.grpcPort] for HTTP/2; 0 (the default) takes a free one
 * @param {number} [options.maxBytes] see {@link Runs}
 * @param {number} [options.maxHeldBytes] see {@link Runs}
 */
export async function startRelay({ httpPort = 0, grpcPort = 0, ...limits } = {}) {
  const runs = new Runs(limits);
  const shutdown = new AbortController();
  const handler = connectNodeAdapter({
    routes: relayRoutes(runs),
    fallback: httpHandler(runs),
    readMaxBytes: MAX_REQUEST_BYTES,
    shutdownSignal: shutdown.signal,
  });
  const http1 = createHttp1Server({ requestTimeout: 30_000 }, handler);
  const http2 = createHttp2Server(handler);
  const sessions = openOnes(http2, "session");
  const sockets = openOnes(http2, "connection");
  const httpUrl = await listen(http1, httpPort);
  const grpcUrl = await listen(http2, grpcPort);

  return {
    httpUrl,
    grpcUrl,
    runs,
    /**
     * Takes an envelope as the SDK hands it over, for everyone who asks for its run.
     *
     * @param {import("factory-run-wire").JsonObject} envelope
     */
    publish: (envelope) => runs.publish(envelope),
    /** Ends the streams, then the servers, and after a second whatever connection its peer still holds open. */
    async close() {
      shutdown.abort(new ConnectError("the relay is stopping", Code.Unavailable));
      const closed = [once(http1, "close"), once(http2, "close")];
      http1.close();
      http2.close();
      for (const session of sessions) session.close();
      const late = setTimeout(() => {
        http1.closeAllConnections();
        // The sockets, not the sessions: a session that is closing waits for its peer to close as well, destroyed or not.
        for (const socket of sockets) socket.destroy();
      }, 1_000);
      await Promise.all(closed);
      clearTimeout(late);
    },
  };
}

/** What the server has announced by this event and is not closed. */
function openOnes(server, event) {
  const open = new Set();
  server.on(event, (one) => {
    open.add(one);
    one.on("close", () => open.delete(one));
  });
  return open;
}

async function listen(server, port) {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}`;
}
