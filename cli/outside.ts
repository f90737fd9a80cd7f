import type { ScopeClient } from "../client/index.ts";
import type { AgentCardPublication, OutputStream } from "../protocol/index.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { escapeForTerminal } from "./output/text.ts";

/** Things a scope shows to the outside, found by what people call them. */

/** The stream with this id, or else with this name. @throws {CliError} when there is none */
export async function findStream(client: ScopeClient, idOrName: string): Promise<OutputStream> {
  const streams = await client.listOutputStreams();
  const found = streams.find(({ id }) => id === idOrName) ?? streams.find(({ name }) => name === idOrName);
  if (found) return found;
  throw missing(
    `There is no output stream ${escapeForTerminal(idOrName)}.`,
    "See what there is with: agent-intercom output list",
  );
}

/** The publication with this id, or else of the agent with this id. @throws {CliError} when there is none */
export async function findPublication(client: ScopeClient, idOrAgent: string): Promise<AgentCardPublication> {
  const publications = await client.listAgentCardPublications();
  const found =
    publications.find(({ id }) => id === idOrAgent) ?? publications.find(({ agentId }) => agentId === idOrAgent);
  if (found) return found;
  throw missing(
    `There is no A2A publication ${escapeForTerminal(idOrAgent)}, and no agent of that id is published.`,
    "See what there is with: agent-intercom a2a list",
  );
}

function missing(message: string, hint: string): CliError {
  return new CliError(message, { exitCode: EXIT.notFound, code: "NOT_FOUND", hint });
}
