import { profile } from "../../core/profile.ts";
import { agentChecks } from "./agents.ts";
import { connectorChecks } from "./connectors.ts";
import { credentialChecks } from "./credentials.ts";
import { escalationChecks } from "./escalations.ts";
import { eventChecks } from "./events.ts";
import { generalChecks } from "./general.ts";
import { humanChecks } from "./human.ts";
import { idempotencyChecks } from "./idempotency.ts";
import { limitChecks } from "./limits.ts";
import { linkChecks } from "./links.ts";
import { messageChecks } from "./messages.ts";
import { outsideChecks } from "./outside.ts";
import { pageChecks } from "./pages.ts";
import { scopeChecks } from "./scopes.ts";
import { Stage } from "./stage.ts";
import { taskChecks } from "./tasks.ts";
import { waitingChecks } from "./waiting.ts";

/** What Agent Intercom 1 adds to October Bus 0.1, one check for each addition, each in a scope of its own. */
export const agentIntercom1 = profile({
  name: "agent-intercom-1",
  about: "Everything Agent Intercom adds to October Bus 0.1.",
  protocol: "agent-intercom",
  timeoutMs: 180_000,
  world: (run) => new Stage(run),
  checks: [
    ...generalChecks,
    ...credentialChecks,
    ...scopeChecks,
    ...agentChecks,
    ...connectorChecks,
    ...linkChecks,
    ...messageChecks,
    ...humanChecks,
    ...taskChecks,
    ...escalationChecks,
    ...eventChecks,
    ...pageChecks,
    ...outsideChecks,
    ...waitingChecks,
    ...limitChecks,
    ...idempotencyChecks,
  ],
});
