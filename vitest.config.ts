import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Sized for two slow cores that something else keeps busy.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "threads",
    // Long one-line inputs make unreadable diffs without a cut.
    chaiConfig: { truncateThreshold: 400 },
  },
});
