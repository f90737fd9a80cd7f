import { z } from "zod";
import { oneOf } from "../fields.ts";
import { identifier, instant } from "../ids.ts";
import { lifecycle } from "../objects/agent.ts";
import { toolSet } from "../objects/connector.ts";
import { linkPolicy, linkRequestStatus } from "../objects/scope.ts";
import { eventDefinition, wholeNumber, yesOrNo } from "./definition.ts";

const ofExecution = { executionId: identifier };
const ofPair = {
  subject: "Both agents, the lesser id first: `left:right`.",
  subjectId: z.string(),
  attributes: { leftAgent: identifier, rightAgent: identifier },
};
const ofLinkRequest = { from: identifier, to: identifier, status: linkRequestStatus };

/** Scopes, who is in them and by which connector, and who may write to whom. */
export const memberEvents = {
  "agent.registered": eventDefinition({
    when: "An agent was registered, or registered again, which ends the execution it had. With `connectorId` by a client that connected.",
    subject: "The agent.",
    attributes: {
      ...ofExecution,
      lifecycle,
      ready: yesOrNo,
      leaseExpiresAt: instant,
      connectorId: identifier.optional(),
    },
  }),
  "agent.lifecycle_changed": eventDefinition({
    when: "A heartbeat said another lifecycle or readiness than before, or the agent retired, or its connector was revoked. Other heartbeats are not recorded.",
    subject: "The agent.",
    attributes: {
      ...ofExecution,
      lifecycle,
      ready: yesOrNo,
      leaseExpiresAt: instant.optional(),
      reason: oneOf(["retired", "revoked"]).optional(),
    },
  }),
  "agent.profile_changed": eventDefinition({
    when: "An agent changed what it says of itself.",
    subject: "The agent.",
    attributes: ofExecution,
  }),
  "agent.lease_expired": eventDefinition({
    when: "The lease of an execution ran out.",
    subject: "The agent.",
    attributes: ofExecution,
  }),
  "agent.removed": eventDefinition({
    when: "The owner took an agent off the list.",
    subject: "The agent.",
    attributes: ofExecution,
  }),
  "connector.created": eventDefinition({
    when: "A credential for a client of MCP was issued.",
    subject: "The connector.",
    attributes: { agentName: identifier, toolSet },
  }),
  "connector.rotated": eventDefinition({
    when: "A connector's secret was replaced.",
    subject: "The connector.",
    attributes: { agentName: identifier, toolSet },
  }),
  "connector.revoked": eventDefinition({
    when: "A connector was taken back; so many executions it ran have ended.",
    subject: "The connector.",
    attributes: { agentName: identifier, executions: wholeNumber },
  }),
  "scope.created": eventDefinition({
    when: "The scope was made.",
    subject: "The scope.",
    attributes: { linkPolicy },
  }),
  "scope.deleted": eventDefinition({
    when: "A scope was deleted. Only the stream of all scopes tells of it: the scope's own events are gone.",
    subject: "The scope.",
    attributes: {},
  }),
  "scope.policy_changed": eventDefinition({
    when: "The owner changed how agents of the scope become peers.",
    subject: "The scope.",
    attributes: { linkPolicy },
  }),
  "scope.credentials_rotated": eventDefinition({
    when: "The scope's token was replaced: every execution ended, every connector and credential for the outside was disabled.",
    subject: "The scope.",
    attributes: { executions: oneOf(["retired"]), scopedCredentials: oneOf(["disabled"]) },
  }),
  "scope.imported": eventDefinition({
    when: "The scope was made from an archive.",
    subject: "Digest of the archive.",
    subjectId: z.string(),
    attributes: { archiveVersion: wholeNumber },
  }),
  "scope.pruned": eventDefinition({
    when: "What was finished before an instant was removed; the numbers say how many of each kind.",
    subject: "The scope.",
    attributes: {
      before: instant,
      messages: wholeNumber,
      tasks: wholeNumber,
      escalations: wholeNumber,
      events: wholeNumber,
    },
  }),
  "link.created": eventDefinition({ when: "Two agents became peers.", ...ofPair }),
  "link.removed": eventDefinition({ when: "A link was taken back.", ...ofPair }),
  "link.requested": eventDefinition({
    when: "An agent asked for a link.",
    subject: "The link request.",
    attributes: ofLinkRequest,
  }),
  "link.request_resolved": eventDefinition({
    when: "The owner accepted or declined a link request.",
    subject: "The link request.",
    attributes: ofLinkRequest,
  }),
};
