// The relay's service, for Connect, gRPC and gRPC-Web alike.

import { fromBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { SessionFactoryRunFromToolResultSchema as schema } from "factory-run-wire";
import { FactoryRelayService } from "../gen/factory_relay/v1/factory_relay_pb.js";
import { RunGone } from "./runs.js";

/**
 * @param {import("./runs.js").Runs} runs
 * @returns {(router: import("@connectrpc/connect").ConnectRouter) => void}
 */
export function relayRoutes(runs) {
  return (router) =>
    router.service(FactoryRelayService, {
      getRun({ runId }) {
        const run = runs.get(named(runId));
        if (run === undefined) throw new ConnectError(`no run ${runId}`, Code.NotFound);
        return response(run);
      },

      async *watchRun({ runId }, { signal }) {
        try {
          for await (const run of runs.watch(named(runId), signal)) yield response(run);
          // Not the run's end: the relay stops, the deadline is over, or the reader has gone.
          if (signal.aborted) throw signal.reason;
        } catch (error) {
          throw error instanceof RunGone ? new ConnectError(error.message, Code.Aborted) : error;
        }
      },
    });
}

/** @param {string} runId */
function named(runId) {
  if (runId === "") throw new ConnectError("run_id is empty", Code.InvalidArgument);
  return runId;
}

/** @param {import("./runs.js").Run} run */
function response({ revision, binary }) {
  return { revision, run: fromBinary(schema, binary) };
}
