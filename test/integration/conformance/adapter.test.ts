import { expect, test } from "vitest";
import { profileNamed, runProfile, toJson } from "../../../conformance/index.ts";
import { pauseOf } from "../../fixtures/target-clock.ts";
import { addressFor } from "../../fixtures/targets.ts";
import { MAIN } from "../../support/cli.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon({ octoberBusPort: 0 });
const SKIPPED = "self-registering-stdio-lifecycle";

test.each(["october-bus", "agent-intercom"] as const)(
  "`agent-intercom mcp` passes mcp-adapter-0.1 at the listener of %s",
  { timeout: 60_000 },
  async (listener) => {
    const profile = profileNamed("mcp-adapter-0.1");
    if (!profile) throw new Error("no such profile");
    const report = toJson(
      await runProfile(profile, {
        address: listener === "october-bus" ? addressFor(intercom(), listener) : intercom().address,
        adminToken: intercom().adminToken,
        adapter: { command: process.execPath, args: [MAIN, "mcp"] },
        pause: pauseOf(intercom()),
      }),
    );
    const failed = listener === "october-bus" ? [] : ["health-and-version"];
    expect(report.failed.map(({ check }) => check)).toEqual(failed);
    expect(report.skipped.map(({ check }) => check)).toEqual([SKIPPED]);
    expect(report.passed).toHaveLength(profile.checks.length - failed.length - 1);
  },
);
