import * as wire from "factory-run-wire";
import { roundTrip } from "./round-trip.js";

console.log(roundTrip(wire));
