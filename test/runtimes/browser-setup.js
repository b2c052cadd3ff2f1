// The tests build their inputs with Buffer. What they test must not: npm run packaging runs it in a page without.
import { Buffer } from "buffer";

Object.assign(globalThis, { Buffer });
