import { z } from "zod";
import { identifier } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { agentMetadata, displayName, leaseMs } from "../objects/agent.ts";
import { connection, connector, issuedConnector, toolSet } from "../objects/connector.ts";
import { operation } from "../operation.ts";
import { text } from "../text.ts";

const ofConnector = z.strictObject({ connectorId: identifier });

/** Credentials with which a client of MCP becomes an agent by itself. */
export const connectorOperations = {
  createConnector: operation({
    summary: "Issue a credential for one configuration of an MCP client",
    description: "The credential is shown once. After a lost answer rotate it.",
    method: "POST",
    path: "/v1/connectors",
    authority: "scope",
    input: z.strictObject({
      name: text(LIMITS.credentialLabelBytes).meta({ description: "Unique among the connectors of the scope." }),
      agentName: identifier
        .meta({ description: "What its agents are called; made from the name unless given." })
        .optional(),
      toolSet: toolSet.optional().meta({ description: "`team` unless told otherwise." }),
      leaseMs,
    }),
    result: issuedConnector,
    status: 201,
    errors: ["CONFLICT"],
  }),
  listConnectors: operation({
    summary: "Every connector of the scope, oldest first, without its secret",
    method: "GET",
    path: "/v1/connectors",
    authority: "scope",
    input: z.strictObject({}),
    result: z.array(connector),
  }),
  rotateConnector: operation({
    summary: "Replace a connector's secret",
    description: "The old one stops working at once; agents that are connected stay so. Enables a disabled connector.",
    method: "POST",
    path: "/v1/connectors/{connectorId}/rotate",
    authority: "scope",
    input: ofConnector,
    result: issuedConnector,
  }),
  revokeConnector: operation({
    summary: "Take a connector back",
    description:
      "Its secret stops working and the executions it runs end. Agents and their inboxes stay; other connectors of the " +
      "scope may go on under the names.",
    method: "DELETE",
    path: "/v1/connectors/{connectorId}",
    authority: "scope",
    input: ofConnector,
    result: z.object({ revoked: z.boolean() }),
    idempotency: "natural",
  }),
  connect: operation({
    summary: "Become an agent of the connector, or go on as one",
    description:
      "A session that was connected before goes on as its agent: in the same execution while that lives, claims and " +
      "reservations kept, and the token it had is replaced; so with a `session` the call may be repeated. Anybody else " +
      "becomes the first of `NAME`, `NAME-2` and so on that nobody runs, together with what waits in its inbox. Agents " +
      "that were registered in another way are never taken over.",
    method: "POST",
    path: "/v1/connect",
    authority: "connector",
    input: z.strictObject({
      session: text(LIMITS.sessionBytes)
        .meta({ description: "What tells this window of the client from others. Without one, each call is a new one." })
        .optional(),
      displayName: displayName.meta({ description: "The agent's id unless given." }).optional(),
      metadata: agentMetadata.optional(),
    }),
    result: connection,
  }),
};
