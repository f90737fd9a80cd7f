import { z } from "zod";
import { flag, oneOf } from "../fields.ts";
import { identifier, instant } from "../ids.ts";
import { registration } from "./agent.ts";
import { credentialSecret } from "./output.ts";

/** Which tools an MCP client gets: our own small set, those of October Bus 0.1, or those of the pi-intercom family. */
export const TOOL_SETS = ["team", "bus", "intercom"] as const;
export const toolSet = oneOf(TOOL_SETS);
export type ToolSetName = (typeof TOOL_SETS)[number];

export const connector = z
  .object({
    id: identifier,
    scopeId: identifier,
    name: z.string(),
    agentName: identifier.meta({ description: "What its agents are called; the second at a time has `-2` behind it." }),
    toolSet,
    leaseMs: z.int().meta({ description: "How long an agent outlives its client's last sign of life." }),
    enabled: flag.meta({ description: "False once the scope's token was replaced, until the connector is rotated." }),
    connectedAgents: z.array(identifier).meta({ description: "Agents whose execution it runs now." }),
    createdAt: instant,
    updatedAt: instant,
    lastConnectedAt: instant.optional(),
  })
  .meta({ id: "Connector", description: "The credential of one configuration of an MCP client." });
export type Connector = z.output<typeof connector>;

export const issuedConnector = z.object({ connector, credential: credentialSecret }).meta({ id: "IssuedConnector" });
export type IssuedConnector = z.output<typeof issuedConnector>;

export const connection = registration
  .extend({ connectorId: identifier, toolSet, leaseMs: z.int() })
  .meta({ id: "Connection", description: "An execution, and what its connector says of how to keep it." });
export type Connection = z.output<typeof connection>;
