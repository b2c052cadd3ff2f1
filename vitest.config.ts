import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Sized for two slow cores that something else keeps busy.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "threads",
    // One worker less than there are cores is the default, which of two would leave one idle.
    maxWorkers: "100%",
    // Long one-line inputs make unreadable diffs without a cut.
    chaiConfig: { truncateThreshold: 400 },
  },
});
