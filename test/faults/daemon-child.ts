// A daemon in a process of its own, for tests that kill it. Takes its options as JSON in the first argument and says how
// starting went over the channel to its parent. Ends with its parent.
import { type DaemonOptions, runNodeHost } from "../../daemon/index.ts";
import { isIntercomError } from "../../protocol/index.ts";
import type { ChildReport } from "./daemon-process.ts";

const options = JSON.parse(process.argv[2] ?? "{}") as DaemonOptions;

function report(message: ChildReport): void {
  process.send?.(message);
}

const onOrphaned = () => process.exit(1);
process.on("disconnect", onOrphaned);
try {
  await runNodeHost({ env: {}, ...options }, ({ address, adminToken, instanceId }) => {
    report({ state: "ready", address, adminToken, instanceId });
  });
} catch (error) {
  report({
    state: "failed",
    error: isIntercomError(error) ? error.toValue() : { code: "UNEXPECTED", message: String(error) },
  });
  process.exitCode = 1;
} finally {
  process.off("disconnect", onOrphaned);
  process.disconnect?.();
}
