(async () => {
  const [wire, { roundTrip }] = await Promise.all([import("factory-run-wire"), import("./round-trip.js")]);
  console.log(roundTrip(wire));
})();
