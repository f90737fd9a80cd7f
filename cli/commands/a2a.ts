import type { Command } from "commander";
import type { A2aPrincipal, A2aPrincipalUsage, AgentCardPublication } from "../../protocol/index.ts";
import { examples, type Register, subcommand } from "../command.ts";
import { Context } from "../context.ts";
import type { Printer } from "../output/printer.ts";
import { facts, table } from "../output/table.ts";
import { bytes, escapeForTerminal } from "../output/text.ts";
import { relative } from "../output/time.ts";
import { findPublication } from "../outside.ts";
import { type CredentialKind, issuedText, registerCredentials } from "./credentials.ts";

export const register: Register = (command, invocation) => {
  const connect = () => new Context(invocation());
  registerPublications(command, connect);
  registerA2aCredentials(command, connect);
};

function registerPublications(command: Command, connect: () => Context): void {
  subcommand(command, "publish <agent>", {
    summary: "publish an agent to A2A clients",
    about: "Publishes an agent to A2A clients. They also need a credential: agent-intercom a2a credential create",
    examples: [["a2a publish reviewer"]],
  }).action(async (agentId: string) => {
    const context = connect();
    const publication = await (await context.owner()).client.publishAgentCard({ agentId });
    context.out.result(publication, () => `Published ${publication.agentId}.\n${publicationFacts(publication)}`);
  });

  subcommand(command, "list", { summary: "show the published agents", examples: [["a2a list"]] }).action(async () => {
    const context = connect();
    const { out } = context;
    const publications = await (await context.owner()).client.listAgentCardPublications();
    out.result({ publications }, () =>
      publications.length === 0
        ? "No agent is published. Publish one with: agent-intercom a2a publish AGENT"
        : publicationTable(publications, out),
    );
  });

  const change = async (idOrAgent: string, enabled: boolean) => {
    const context = connect();
    const { client } = await context.owner();
    const { id: publicationId } = await findPublication(client, idOrAgent);
    const publication = enabled
      ? await client.enableAgentCardPublication({ publicationId })
      : await client.disableAgentCardPublication({ publicationId });
    const { agentId } = publication;
    context.out.result(publication, () =>
      enabled ? `A2A clients reach ${agentId} again.` : `A2A clients no longer reach ${agentId}.`,
    );
  };

  subcommand(command, "enable <publication>", {
    summary: "let A2A clients reach a published agent again",
    about: "Lets A2A clients reach a published agent again. Name the publication by its id or by the agent's.",
    examples: [["a2a enable reviewer"]],
  }).action((publication: string) => change(publication, true));

  subcommand(command, "disable <publication>", {
    summary: "hide a published agent and refuse its A2A clients",
    about: "Hides a published agent and refuses its A2A clients. Name the publication by its id or by the agent's.",
    examples: [["a2a disable reviewer"]],
  }).action((publication: string) => change(publication, false));
}

const a2aCredentials: CredentialKind<A2aPrincipal> = {
  path: "a2a credential",
  list: (client) => client.listA2aPrincipals(),
  rotate: (client, principalId) => client.rotateA2aPrincipal({ principalId }),
  enable: (client, principalId) => client.enableA2aPrincipal({ principalId }),
  disable: (client, principalId) => client.disableA2aPrincipal({ principalId }),
  columns: async (client) => {
    const agents = new Map((await client.listAgentCardPublications()).map(({ id, agentId }) => [id, agentId]));
    return [{ title: "agent", cell: ({ publicationId }) => agents.get(publicationId) ?? publicationId }];
  },
};

function registerA2aCredentials(command: Command, connect: () => Context): void {
  const group = command
    .command("credential")
    .summary("issue credentials to A2A clients")
    .description("Issues credentials to A2A clients, each for one published agent.")
    .helpCommand(false);
  examples(group, [["a2a credential create reviewer ci"], ["a2a credential usage"]]);

  subcommand(group, "create <publication> <label>", {
    summary: "issue a credential of a published agent",
    about: "Issues a credential that writes to one published agent, and does nothing else. It is shown once.",
    examples: [["a2a credential create reviewer ci"]],
  }).action(async (idOrAgent: string, label: string) => {
    const context = connect();
    const { client } = await context.owner();
    const { id: publicationId, agentId } = await findPublication(client, idOrAgent);
    const issued = await client.createA2aPrincipal({ publicationId, label });
    const what = `Issued ${issued.principal.id} (${escapeForTerminal(label)}): may write to ${agentId}.`;
    context.out.result(issued, () => issuedText(what, issued.credential));
  });

  registerCredentials(group, connect, a2aCredentials);

  subcommand(group, "usage", {
    summary: "show how much unfinished work each credential has",
    examples: [["a2a credential usage"]],
  }).action(async () => {
    const context = connect();
    const { out } = context;
    const { client } = await context.owner();
    const usage = await client.listA2aPrincipalUsage();
    const labels = new Map((await client.listA2aPrincipals()).map(({ id, label }) => [id, label]));
    out.result({ usage }, () => (usage.length === 0 ? "There are no credentials." : usageTable(usage, labels, out)));
  });
}

function publicationFacts({ id, cardUrl, interfaceUrl }: AgentCardPublication): string {
  return facts([
    ["Publication", id],
    ["Card", cardUrl],
    ["Interface", interfaceUrl],
  ]);
}

function publicationTable(publications: readonly AgentCardPublication[], out: Printer): string {
  return table<AgentCardPublication>(
    [
      { title: "agent", cell: ({ agentId }) => agentId },
      { title: "id", cell: ({ id }) => id },
      { title: "state", cell: ({ enabled }) => (enabled ? "enabled" : "disabled") },
      { title: "changed", cell: ({ updatedAt }) => relative(updatedAt, out.now()), dropBelow: 100 },
      { title: "card", cell: ({ cardUrl }) => cardUrl, shrinkTo: 10 },
    ],
    publications,
    out.width,
  );
}

function usageTable(usage: readonly A2aPrincipalUsage[], labels: ReadonlyMap<string, string>, out: Printer): string {
  return table<A2aPrincipalUsage>(
    [
      { title: "id", cell: ({ principalId }) => principalId },
      { title: "label", cell: ({ principalId }) => labels.get(principalId) ?? "", shrinkTo: 8 },
      {
        title: "messages",
        cell: ({ unfinishedMessages, messageLimit }) => `${unfinishedMessages} of ${messageLimit}`,
        align: "right",
      },
      {
        title: "size",
        cell: ({ unfinishedBytes, byteLimit }) => `${bytes(unfinishedBytes)} of ${bytes(byteLimit)}`,
        align: "right",
      },
    ],
    usage,
    out.width,
  );
}
