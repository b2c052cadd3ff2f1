const wire = require("factory-run-wire");

import("./round-trip.js").then(({ roundTrip }) => console.log(roundTrip(wire)));
