// For a page: the bundle says on it how it went.
import * as wire from "factory-run-wire";
import { roundTrip } from "./round-trip.js";

let outcome;
try {
  if ("Buffer" in globalThis || "process" in globalThis) throw new Error("this is no plain page");
  outcome = roundTrip(wire);
} catch (error) {
  outcome = String(error);
}
document.body.textContent = `outcome: ${outcome}.`;
