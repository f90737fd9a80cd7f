import type { ScopeClient } from "../../client/index.ts";
import type { Connector } from "../../protocol/index.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { escapeForTerminal } from "../output/text.ts";

/** The connector with this id, or else with this name. @throws {CliError} when there is none */
export async function findConnector(client: ScopeClient, idOrName: string): Promise<Connector> {
  const connectors = await client.listConnectors();
  const found = connectors.find(({ id }) => id === idOrName) ?? connectors.find(({ name }) => name === idOrName);
  if (found) return found;
  throw new CliError(`There is no connector ${escapeForTerminal(idOrName)}.`, {
    exitCode: EXIT.notFound,
    code: "NOT_FOUND",
    hint: "See what there is with: agent-intercom connector list",
  });
}
