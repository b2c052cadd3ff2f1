import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { FactoryRelayService } from "../gen/factory_relay/v1/factory_relay_pb.js";

/** By protocol. Both send binary messages: Connect's JSON is ProtoJSON, which serde cannot read. */
const transports = {
  grpc: (options) => createGrpcTransport(options),
  connect: (options) => createConnectTransport({ ...options, httpVersion: "2", useBinaryFormat: true }),
};

/**
 * A client of a relay.
 *
 * @param {string} baseUrl the relay's HTTP/2 address
 * @param {object} [options]
 * @param {"grpc" | "connect"} [options.protocol]
 * @param {number} [options.readMaxBytes] the largest message taken, default 4 MiB
 */
export function createRelayClient(baseUrl, { protocol = "grpc", readMaxBytes = 4 * 1024 * 1024 } = {}) {
  return createClient(FactoryRelayService, transports[protocol]({ baseUrl, readMaxBytes }));
}
