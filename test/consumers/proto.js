// The schema ships with the package, for whoever generates code of their own.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(import.meta.resolve("factory-run-wire/proto/factory_run/v1/factory_run.proto"));
if (!readFileSync(file, "utf8").includes("package factory_run.v1;")) throw new Error("not the schema");
console.log("ok");
