import type { JsonValue } from "@bufbuild/protobuf";
import { defined, Members } from "./members.js";

/** Who paused a run, told apart by `type`. */
export type RunPauseInfo = PausedByUser | PausedAtCheckpoint | UnknownPauseInfo;

/** A person or a caller of the SDK paused it. */
export interface PausedByUser {
  type: "user";
}

/** The factory paused itself with `ctx.pause(key)`. */
export interface PausedAtCheckpoint {
  type: "checkpoint";
  /** The checkpoint's key, as the factory's author named it. */
  key: string;
}

/** A pause of a kind that this version does not know, or a checkpoint without a key. */
export interface UnknownPauseInfo {
  type: "unknown";
  /** The word that it has for its type, when it has one. */
  word?: string;
  /** The pause info as it came. */
  json: JsonValue;
}

/** Reads why a run is paused. */
export function pauseInfoOf(json: JsonValue): RunPauseInfo {
  const info = Members.of(json);
  const word = info?.text("type");
  const key = info?.text("key");
  if (word === "user") return { type: "user" };
  if (word === "checkpoint" && key !== undefined) return { type: "checkpoint", key };
  return { type: "unknown", ...defined({ word }), json };
}
