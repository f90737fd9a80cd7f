import { type Command, Option } from "commander";
import {
  type Connector,
  type IssuedConnector,
  LIMITS,
  TOOL_SETS,
  type ToolSetName,
  toIdentifier,
} from "../../protocol/index.ts";
import { durationMs, given } from "../arguments.ts";
import { type Register, subcommand } from "../command.ts";
import { findConnector } from "../connector/find.ts";
import { ProfileStore } from "../connector/profiles.ts";
import { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import type { Printer } from "../output/printer.ts";
import { table } from "../output/table.ts";
import { escapeForTerminal } from "../output/text.ts";
import { duration, relative } from "../output/time.ts";
import { issuedText } from "./credentials.ts";

interface SaveOption {
  /** True without a name. */
  readonly save?: string | true;
}

interface CreateOptions extends SaveOption {
  readonly agentName?: string;
  readonly tools?: ToolSetName;
  readonly lease?: number;
}

const SAVE =
  "keep the credential in a file only you can read, for agent-intercom mcp --profile, and show none (default: what its agents are called)";

export const register: Register = (command, invocation) => {
  const connect = () => new Context(invocation());
  registerCreate(command, connect);
  registerList(command, connect);
  registerRotate(command, connect);
  registerRevoke(command, connect);
};

function registerCreate(command: Command, connect: () => Context): void {
  subcommand(command, "create <name>", {
    summary: "issue a credential for one configuration of an MCP client",
    about:
      "Issues a credential for one configuration of an MCP client. Each window that connects with it is an agent of its " +
      "own: NAME, NAME-2 and so on.",
    examples: [
      ["connector create claude --save", "for a configuration with: agent-intercom mcp --profile claude"],
      ["connector create ci --agent-name builder --tools bus --lease 1h"],
    ],
  })
    .option("--agent-name <id>", "what its agents are called (default: the name)")
    .addOption(new Option("--tools <set>", "tools its clients get (default: team)").choices([...TOOL_SETS]))
    .option(
      "--lease <duration>",
      `how long an agent outlives its client's last sign of life (default: ${duration(LIMITS.leaseDefaultMs)})`,
      durationMs,
    )
    .option("--save [profile]", SAVE)
    .action(async (name: string, { agentName, tools, lease, save }: CreateOptions) => {
      const context = connect();
      const { client } = await context.owner({ create: true });
      const profile = save === true ? (agentName ?? (toIdentifier(name, LIMITS.identifierLength) || "agent")) : save;
      if (profile !== undefined) profilesOf(context).check(profile);
      const input = { name, ...given({ agentName, toolSet: tools, leaseMs: lease }) };
      const issued = await client.createConnector(input);
      const { connector } = issued;
      hand(context, issued, `Made ${named(connector)}. Its agents are called ${connector.agentName}.`, profile);
    });
}

function registerList(command: Command, connect: () => Context): void {
  subcommand(command, "list", {
    summary: "show the connectors of a scope, without their secrets",
    examples: [["connector list"]],
  }).action(async () => {
    const context = connect();
    const { out } = context;
    const connectors = await (await context.owner()).client.listConnectors();
    out.result({ connectors }, () =>
      connectors.length === 0
        ? "There is no connector. Make one with: agent-intercom connector create NAME --save"
        : connectorTable(connectors, out),
    );
  });
}

function registerRotate(command: Command, connect: () => Context): void {
  subcommand(command, "rotate <connector>", {
    summary: "replace a connector's secret",
    about: "Replaces a connector's secret; the old one stops working at once. Agents that are connected stay so.",
    examples: [["connector rotate claude --save", "into the profile that has it already"]],
  })
    .option("--save [profile]", SAVE)
    .action(async (idOrName: string, { save }: SaveOption) => {
      const context = connect();
      const { client } = await context.owner();
      const { id, agentName } = await findConnector(client, idOrName);
      const profile = save === true ? (profilesOf(context).nameOf(id) ?? agentName) : save;
      if (profile !== undefined) profilesOf(context).check(profile, id);
      const issued = await client.rotateConnector({ connectorId: id });
      hand(context, issued, `The old secret of ${named(issued.connector)} no longer works.`, profile);
    });
}

function registerRevoke(command: Command, connect: () => Context): void {
  subcommand(command, "revoke <connector>", {
    summary: "take a connector back",
    about:
      "Takes a connector back: its secret stops working at once, and agents that are connected with it are gone. Their " +
      "inboxes stay, for whoever is called so next.",
    examples: [["connector revoke claude"]],
  }).action(async (idOrName: string) => {
    const context = connect();
    const { client } = await context.owner();
    const connector = await findConnector(client, idOrName);
    const outcome = await client.revokeConnector({ connectorId: connector.id });
    const profile = profilesOf(context).remove(connector.id);
    context.out.result({ connectorId: connector.id, ...outcome, ...given({ profile }) }, () => {
      const gone = connector.connectedAgents.join(", ");
      return [
        `${named(connector)} no longer works.`,
        ...(gone ? [`Gone with it: ${gone}`] : []),
        ...(profile === undefined ? [] : [`The profile ${profile} is gone too.`]),
      ].join("\n");
    });
  });
}

/** Shows a credential, or keeps it under a name instead. */
function hand(context: Context, issued: IssuedConnector, what: string, profile: string | undefined): void {
  const { connector, credential } = issued;
  if (profile === undefined) {
    context.out.result(issued, () => issuedText(what, credential));
    return;
  }
  const { file } = keep(context, connector, profile, credential);
  context.out.result({ connector, profile, file }, () =>
    [
      what,
      `Its credential is kept as the profile ${profile}. Use it with: agent-intercom mcp --profile ${profile}`,
    ].join("\n"),
  );
}

function keep(context: Context, { id }: Connector, profile: string, token: string): ProfileStore {
  const store = profilesOf(context);
  try {
    store.set(profile, { ...given({ address: context.givenAddress() }), token });
    return store;
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(`The credential could not be kept: ${message}`, {
      code: "NOT_SAVED",
      hint: `The connector is there. Once the reason is gone, replace its secret: agent-intercom connector rotate ${id} --save ${profile}`,
    });
  }
}

function profilesOf({ directories }: Context): ProfileStore {
  return new ProfileStore(directories.credentialsFile);
}

function named({ id, name }: Connector): string {
  return `${escapeForTerminal(name)} (${id})`;
}

function connectorTable(connectors: readonly Connector[], out: Printer): string {
  return table<Connector>(
    [
      { title: "name", cell: ({ name }) => name, shrinkTo: 8 },
      { title: "id", cell: ({ id }) => id },
      { title: "agents", cell: ({ agentName }) => agentName, shrinkTo: 8 },
      { title: "tools", cell: ({ toolSet }) => toolSet },
      { title: "lease", cell: ({ leaseMs }) => duration(leaseMs), dropBelow: 100 },
      { title: "state", cell: ({ enabled }) => (enabled ? "enabled" : "disabled: rotate it") },
      { title: "connected", cell: ({ connectedAgents }) => connectedAgents.join(", "), shrinkTo: 9 },
      {
        title: "last",
        cell: ({ lastConnectedAt }) => (lastConnectedAt ? relative(lastConnectedAt, out.now()) : "never"),
        dropBelow: 100,
      },
    ],
    connectors,
    out.width,
  );
}
