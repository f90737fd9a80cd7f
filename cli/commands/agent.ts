import { given } from "../arguments.ts";
import { type Register, subcommand } from "../command.ts";
import { Context } from "../context.ts";
import { agentDetails, agentTable } from "../output/describe.ts";
import { escapeForTerminal } from "../output/text.ts";
import { type ForwardPage, forwardPage, noticeMore } from "../paging.ts";
import { registerAgentRun } from "./agent-run.ts";

export const register: Register = (command, invocation) => {
  const connect = () => new Context(invocation());

  const listing = subcommand(command, "list", {
    summary: "show the agents of a scope",
    about: "Shows the agents of a scope, or in the shell of an agent its peers.",
    examples: [["agent list"], ["agent list --json"]],
  });
  forwardPage(listing).action(async (page: ForwardPage) => {
    const context = connect();
    const { out } = context;
    const agent = context.agent();
    const result = agent
      ? { agents: await agent.listPeers() }
      : await (await context.owner()).client.listAgentsPage(given({ ...page }));
    const none = agent
      ? "This agent has no peers."
      : "No agents yet. Start one with: agent-intercom agent run --id worker --name Worker -- your-command";
    out.result(result, () => (result.agents.length === 0 ? none : agentTable(result.agents, out)));
    noticeMore(out, "--after", "nextCursor" in result ? result.nextCursor : undefined);
  });

  subcommand(command, "show [id]", {
    summary: "show one agent",
    about: "Shows one agent; in the shell of an agent, without an id, the agent itself.",
    examples: [["agent show reviewer"]],
  }).action(async (agentId: string | undefined) => {
    const context = connect();
    const found =
      agentId === undefined
        ? (await context.requireAgent("show itself without an id").whoAmI()).agent
        : await (await context.owner()).client.getAgent({ agentId });
    context.out.result(found, () => agentDetails(found, context.out));
  });

  registerAgentRun(command, invocation);

  subcommand(command, "remove <id>", {
    summary: "take an agent off the list",
    about:
      "Ends an agent's execution and takes it off the list. Its history stays, and it comes back when it registers again.",
    examples: [["agent remove reviewer"]],
  }).action(async (agentId: string) => {
    const context = connect();
    const outcome = await (await context.owner()).client.removeAgent({ agentId });
    const name = escapeForTerminal(agentId);
    context.out.result({ agentId, ...outcome }, () =>
      outcome.removed ? `${name} is off the list.` : `There was no agent ${name}.`,
    );
  });
};
