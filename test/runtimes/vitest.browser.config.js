// The test suite in a real browser: every test file that needs no more of Node than to read the recorded material.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import base from "../../vitest.config.js";
import { materialFiles } from "./material-files.js";
import { testFilesFor } from "./test-files.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);

// These ask Node how many bytes of array buffers there are; a browser does not tell.
const COUNTS_BUFFERS = [
  "no allocation by a declared length",
  "memory grows with what has come, not with what was declared",
];

export default defineConfig({
  root,
  plugins: [materialFiles(root)],
  resolve: { alias: { buffer: require.resolve("buffer/") } },
  test: {
    ...base.test,
    include: testFilesFor(root).browser,
    testNamePattern: new RegExp(`^(?!.*(?:${COUNTS_BUFFERS.join("|")}))`),
    setupFiles: [fileURLToPath(new URL("./browser-setup.js", import.meta.url))],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: {
          executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
          args: [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            // Without these it looks for its maker's hosts.
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
          ],
        },
      }),
      instances: [{ browser: "chromium" }],
    },
  },
});
