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
          exclude: elsewhere,
          // These start daemons; a loaded machine with two cores needs patience, a hang still ends.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
