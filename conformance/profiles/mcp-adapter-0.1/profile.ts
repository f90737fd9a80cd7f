import { profile } from "../../core/profile.ts";
import { lifecycleChecks } from "./lifecycle.ts";
import { longPollChecks, messagingChecks } from "./messaging.ts";
import { selfRegistrationChecks } from "./self-registration.ts";
import { discoveryChecks, startChecks } from "./start.ts";
import { workChecks } from "./work.ts";
import { AdapterWorld } from "./world.ts";

/** The 14 checks of October Bus 0.1's MCP adapter, in its order, and the optional fifteenth. */
export const mcpAdapter01 = profile({
  name: "mcp-adapter-0.1",
  about: "A program that gives an agent the tools of October Bus 0.1 over MCP on standard input and output.",
  protocol: "october-bus",
  needsAdapter: true,
  timeoutMs: 180_000,
  world: (run) => new AdapterWorld(run),
  checks: [
    ...startChecks,
    ...longPollChecks,
    ...discoveryChecks,
    ...messagingChecks,
    ...workChecks,
    ...lifecycleChecks,
    ...selfRegistrationChecks,
  ],
});
