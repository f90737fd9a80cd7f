import type { Command } from "commander";
import { LIMITS, type OutputPermission, type OutputPrincipal, type OutputStream } from "../../protocol/index.ts";
import { given, list, wholeNumber } from "../arguments.ts";
import { examples, type Register, subcommand } from "../command.ts";
import { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import type { Printer } from "../output/printer.ts";
import { table } from "../output/table.ts";
import { escapeForTerminal } from "../output/text.ts";
import { relative } from "../output/time.ts";
import { findStream } from "../outside.ts";
import { type CredentialKind, issuedText, registerCredentials } from "./credentials.ts";
import { registerPublish } from "./output-publish.ts";
import { registerRead } from "./output-read.ts";

export const register: Register = (command, invocation) => {
  const connect = () => new Context(invocation());
  registerStreams(command, connect);
  registerPublishers(command, connect);
  registerOutputCredentials(command, connect);
  registerPublish(command, connect);
  registerRead(command, connect);
};

interface CreateOptions {
  readonly retain?: number;
  readonly publisher?: string[];
}

function registerStreams(command: Command, connect: () => Context): void {
  subcommand(command, "create <name>", {
    summary: "open a stream of values",
    about: "Opens a stream of values that agents or programs publish and others read.",
    examples: [
      ["output create build-status --publisher builder"],
      ["output create metrics --retain 10000", "to be published to by a program with a credential"],
    ],
  })
    .option(
      "--retain <n>",
      `keep this many newest values (default: ${LIMITS.outputRetentionDefault})`,
      wholeNumber(1, LIMITS.outputRetentionMax),
    )
    .option("--publisher <agents>", "agents that may publish; may be repeated", list)
    .action(async (name: string, { retain, publisher }: CreateOptions) => {
      const context = connect();
      const { client } = await context.owner({ create: true });
      const input = { name, ...given({ retentionLimit: retain, publisherAgentIds: publisher }) };
      const stream = await client.createOutputStream(input);
      context.out.result(stream, () => `Opened ${stream.name} (${stream.id}).\n${publishersOf(stream)}`);
    });

  subcommand(command, "list", { summary: "show the streams of a scope", examples: [["output list"]] }).action(
    async () => {
      const context = connect();
      const { out } = context;
      const streams = await (await context.owner()).client.listOutputStreams();
      out.result({ streams }, () =>
        streams.length === 0
          ? "There is no output stream. Open one with: agent-intercom output create NAME"
          : streamTable(streams, out),
      );
    },
  );

  subcommand(command, "remove <stream>", {
    summary: "remove a stream with its values and credentials",
    about: "Removes a stream with its values and credentials. This cannot be undone.",
    examples: [["output remove build-status"]],
  }).action(async (idOrName: string) => {
    const context = connect();
    const { client } = await context.owner();
    const { id, name } = await findStream(client, idOrName);
    const outcome = await client.removeOutputStream({ streamId: id });
    context.out.result({ streamId: id, ...outcome }, () => `Removed ${name} with its values and credentials.`);
  });
}

function registerPublishers(command: Command, connect: () => Context): void {
  const group = command
    .command("publisher")
    .summary("decide which agents may publish")
    .description("Decides which agents may publish to a stream.")
    .helpCommand(false);
  examples(group, [["output publisher add build-status builder"]]);

  const change = async (idOrName: string, agentId: string, action: "addOutputPublisher" | "removeOutputPublisher") => {
    const context = connect();
    const { client } = await context.owner();
    const { id } = await findStream(client, idOrName);
    const stream = await client[action]({ streamId: id, agentId });
    context.out.result(stream, () => publishersOf(stream));
  };

  subcommand(group, "add <stream> <agent>", {
    summary: "let an agent publish",
    about: "Lets an agent publish, whichever program runs as that agent.",
    examples: [["output publisher add build-status builder"]],
  }).action((stream: string, agentId: string) => change(stream, agentId, "addOutputPublisher"));

  subcommand(group, "remove <stream> <agent>", {
    summary: "take the right to publish from an agent",
    examples: [["output publisher remove build-status builder"]],
  }).action((stream: string, agentId: string) => change(stream, agentId, "removeOutputPublisher"));
}

const outputCredentials: CredentialKind<OutputPrincipal> = {
  path: "output credential",
  list: (client) => client.listOutputPrincipals(),
  rotate: (client, principalId) => client.rotateOutputPrincipal({ principalId }),
  enable: (client, principalId) => client.enableOutputPrincipal({ principalId }),
  disable: (client, principalId) => client.disableOutputPrincipal({ principalId }),
  columns: async (client) => {
    const names = new Map((await client.listOutputStreams()).map(({ id, name }) => [id, name]));
    return [
      { title: "stream", cell: ({ streamId }) => names.get(streamId) ?? streamId },
      { title: "may", cell: ({ permissions }) => permissions.join(", ") },
    ];
  },
};

function registerOutputCredentials(command: Command, connect: () => Context): void {
  const group = command
    .command("credential")
    .summary("issue credentials to readers and publishers outside the scope")
    .description("Issues credentials to readers and publishers outside the scope, each for one stream.")
    .helpCommand(false);
  examples(group, [["output credential create build-status dashboard --read"], ["output credential list"]]);

  subcommand(group, "create <stream> <label>", {
    summary: "issue a credential of a stream",
    about: "Issues a credential that reads or publishes one stream, and does nothing else. It is shown once.",
    examples: [
      ["output credential create build-status dashboard --read"],
      ["output credential create metrics collector --publish"],
    ],
  })
    .option("--read", "it may read")
    .option("--publish", "it may publish")
    .action(async (idOrName: string, label: string, may: { read?: boolean; publish?: boolean }) => {
      const permissions = (["read", "publish"] satisfies OutputPermission[]).filter((each) => may[each]);
      if (permissions.length === 0) throw usageError("Say what the credential may do, with --read, --publish or both.");
      const context = connect();
      const { client } = await context.owner();
      const { id, name } = await findStream(client, idOrName);
      const issued = await client.createOutputPrincipal({ streamId: id, label, permissions });
      const what = `Issued ${issued.principal.id} (${escapeForTerminal(label)}): may ${permissions.join(" and ")} ${name} (${id}).`;
      context.out.result(issued, () => issuedText(what, issued.credential));
    });
  registerCredentials(group, connect, outputCredentials);
}

function publishersOf({ name, publisherAgentIds }: OutputStream): string {
  if (publisherAgentIds.length > 0) return `Agents that may publish to ${name}: ${publisherAgentIds.join(", ")}`;
  return `No agent may publish to ${name}. Let one with: agent-intercom output publisher add ${name} AGENT`;
}

function streamTable(streams: readonly OutputStream[], out: Printer): string {
  return table<OutputStream>(
    [
      { title: "name", cell: ({ name }) => name, shrinkTo: 12 },
      { title: "id", cell: ({ id }) => id },
      { title: "published", cell: ({ currentSequence }) => String(currentSequence), align: "right" },
      { title: "keeps", cell: ({ retentionLimit }) => String(retentionLimit), align: "right", dropBelow: 100 },
      { title: "publishers", cell: ({ publisherAgentIds }) => publisherAgentIds.join(", "), shrinkTo: 10 },
      { title: "changed", cell: ({ updatedAt }) => relative(updatedAt, out.now()), dropBelow: 100 },
    ],
    streams,
    out.width,
  );
}
