import { profile } from "../../core/profile.ts";
import { a2aChecks } from "./a2a.ts";
import { authorityChecks } from "./authority.ts";
import { mcpChecks } from "./mcp-tools.ts";
import { messagingChecks } from "./messaging.ts";
import { outputChecks } from "./outputs.ts";
import { eventChecks, farewellChecks, retentionChecks } from "./oversight.ts";
import { workChecks } from "./work.ts";
import { LocalWorld } from "./world.ts";

/** The 23 checks of October Bus 0.1's local runtime, in its order, in one scope. */
export const local01 = profile({
  name: "local-0.1",
  about: "A local runtime of October Bus 0.1, over HTTP and MCP.",
  protocol: "october-bus",
  timeoutMs: 120_000,
  world: (run) => new LocalWorld(run),
  checks: [
    ...authorityChecks,
    ...a2aChecks,
    ...outputChecks,
    ...messagingChecks,
    ...workChecks,
    ...eventChecks,
    ...retentionChecks,
    ...mcpChecks,
    ...farewellChecks,
  ],
});
