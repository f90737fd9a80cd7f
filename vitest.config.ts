import { defineConfig } from "vitest/config";

const elsewhere = ["**/node_modules/**", "**/dist/**", "**/.tools/**"];

export default defineConfig({
  test: {
    // Real processes, not threads: the daemon uses native code, signals and process-wide state.
    pool: "forks",
    passWithNoTests: false,
    reporters: ["default", "./build/summary-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["**/*.test.ts"],
          exclude: [...elsewhere, "test/**"],
          testTimeout: 5_000,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/**/*.test.ts"],
          exclude: [...elsewhere, "test/harness/**", "test/mcp-conformance/**"],
          // These start daemons; a loaded machine with two cores needs patience, a hang still ends.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: "harness",
          include: ["test/harness/**/*.test.ts"],
          exclude: elsewhere,
          globalSetup: "./test/harness/installed.ts",
          // Real agent programs: some take seconds to start, and more of them at once only get slower.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "mcp-conformance",
          include: ["test/mcp-conformance/**/*.test.ts"],
          exclude: elsewhere,
          globalSetup: "./test/mcp-conformance/installed.ts",
          // Every test starts programs, which take as long as the processors need for them.
          fileParallelism: false,
          maxConcurrency: 2,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
