// An extension with a factory for each of the values, which returns it as it is.
import { defineFactory, joinSession } from "@github/copilot-sdk/extension";
import { VALUES } from "./returned-values.js";

const factories = Object.entries(VALUES).map(([name, make]) =>
  defineFactory({ meta: { name, description: name, phases: [] }, run: async () => /** @type {any} */ (make()) }),
);
await joinSession({ factories });
