// An extension, as it would stand in .github/extensions/NAME/extension.mjs.
import { defineFactory, joinSession } from "@github/copilot-sdk/extension";
import { readable } from "./readable.js";

const excerpts = defineFactory({
  meta: {
    name: "excerpts",
    description: "Cuts texts to a length. args: { texts: string[], length: number }",
    phases: [],
  },
  /** @param {import("@github/copilot-sdk/extension").FactoryContext<{ texts: string[], length: number }>} ctx */
  run: async ({ args, step }) => {
    // A cut by UTF-16 units can part a surrogate pair, and that is how lone surrogates come about.
    const cuts = await step("cut-v1", () => readable(args.texts.map((text) => text.slice(0, args.length))));
    return readable({ cuts });
  },
});

await joinSession({ factories: [excerpts] });
