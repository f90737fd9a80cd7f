import { setTimeout as sleep } from "node:timers/promises";
import type { AgentClient, ScopeClient } from "../../client/index.ts";
import { LIMITS, type Message } from "../../protocol/index.ts";
import { durationMs, given, wholeNumber } from "../arguments.ts";
import { type Register, subcommand } from "../command.ts";
import { Context } from "../context.ts";
import { messageFull } from "../output/describe.ts";
import { count } from "../output/text.ts";
import { interruption } from "../signals.ts";

interface ReadOptions {
  readonly all?: boolean;
  readonly watch?: boolean;
  readonly markRead?: boolean;
  readonly wait?: number;
  readonly limit: number;
}

const MAX_PAGES = 20;

export const register: Register = (command, invocation) => {
  command.description(
    "Reads what agents sent to you. In the shell of an agent: takes the agent's messages out of its inbox, where they come " +
      "again until they are marked as read.",
  );

  subcommand(command, "show", {
    summary: "read what is unread",
    isDefault: true,
    examples: [
      ["inbox"],
      ["inbox --mark-read", "and do not show them again"],
      ["inbox --watch", "keep waiting for more, until Ctrl-C"],
      ["inbox --wait 25s --mark-read --json", "for an agent's script"],
    ],
  })
    .option("--all", "also what was read before")
    .option("--watch", "keep waiting for more")
    .option("--mark-read", "mark what is shown as read")
    .option("--wait <duration>", "as an agent: wait this long for a first message", durationMs)
    .option("--limit <n>", "at most this many", wholeNumber(1, 100), 50)
    .action(async (options: ReadOptions) => {
      const context = new Context(invocation());
      const agent = context.agent();
      if (agent) await (options.watch ? watchAgent(context, agent, options) : readAgent(context, agent, options));
      else await readHuman(context, (await context.owner()).client, options);
    });

  subcommand(command, "read <messages...>", {
    summary: "mark messages as read",
    examples: [["inbox read msg_0199... msg_019a..."]],
  }).action(async (messageIds: string[]) => {
    const context = new Context(invocation());
    const agent = context.agent();
    const outcome = agent
      ? await agent.acknowledgeMessages({ messageIds })
      : await (await context.owner()).client.acknowledgeHumanMessages({ messageIds });
    context.out.result(outcome, () => `Marked ${count(outcome.acknowledged, "message")} as read.`);
  });
};

async function readHuman(context: Context, client: ScopeClient, options: ReadOptions): Promise<void> {
  const { out } = context;
  // From here on first, so that nothing falls between the list and the watch.
  const after = options.watch ? (await client.listEvents({ limit: 1 })).currentRevision : 0;
  const messages = await humanMessages(client, options);
  if (options.watch) {
    for (const message of messages) out.item(message, () => messageFull(message, out));
  } else {
    out.result({ messages }, () =>
      messages.length === 0 ? "No new messages." : messages.map((message) => messageFull(message, out)).join("\n\n"),
    );
  }
  await markRead(client, messages, options);
  if (!options.watch) {
    if (messages.length > 0 && !options.markRead && !options.all)
      out.hint("Mark them as read with: agent-intercom inbox --mark-read");
    return;
  }
  out.notice("Waiting for messages. Ctrl-C ends.");
  for await (const { event } of client.followEvents({ after, signal: interruption() })) {
    if (event?.type !== "message.accepted" || event.attributes.toKind !== "human") continue;
    const message = await client.getMessage({ messageId: event.subjectId });
    out.item(message, () => messageFull(message, out));
    await markRead(client, [message], options);
  }
}

/** Messages to the human, oldest first: the newest ones that are wanted, from as far back as is sensible to look. */
async function humanMessages(client: ScopeClient, { all, limit }: ReadOptions): Promise<Message[]> {
  const found: Message[] = [];
  let before: string | undefined;
  for (let pages = 0; pages < MAX_PAGES && found.length < limit; pages += 1) {
    const page = await client.listMessages({
      peerKind: "human",
      limit: LIMITS.messagePageMax,
      ...given({ before }),
    });
    found.push(...page.messages.filter((message) => message.toKind === "human" && (all || isUnread(message))));
    before = page.nextCursor;
    if (before === undefined) break;
  }
  return found.slice(0, limit).reverse();
}

function isUnread({ state }: Message): boolean {
  return state !== "acknowledged" && state !== "expired" && state !== "dead_lettered";
}

async function markRead(client: ScopeClient, messages: readonly Message[], options: ReadOptions): Promise<void> {
  const messageIds = messages.filter(isUnread).map(({ id }) => id);
  if (options.markRead && messageIds.length > 0) await client.acknowledgeHumanMessages({ messageIds });
}

async function readAgent(context: Context, agent: AgentClient, options: ReadOptions): Promise<void> {
  const { out } = context;
  const messages = await take(agent, options, Math.min(options.wait ?? 0, LIMITS.waitMaxMs));
  out.result({ messages }, () =>
    messages.length === 0 ? "No new messages." : messages.map((message) => messageFull(message, out)).join("\n\n"),
  );
  if (options.markRead) await acknowledge(agent, messages);
}

async function watchAgent(context: Context, agent: AgentClient, options: ReadOptions): Promise<void> {
  const { out } = context;
  const signal = interruption();
  // Delivered messages come again until they are acknowledged; this shows each once.
  const shown = new Set<string>();
  while (!signal.aborted) {
    const messages = await take(agent, options, LIMITS.waitMaxMs, signal).catch((error: unknown) => {
      if (signal.aborted) return [];
      throw error;
    });
    const fresh = messages.filter(({ id }) => !shown.has(id));
    for (const message of fresh) {
      shown.add(message.id);
      out.item(message, () => messageFull(message, out));
    }
    if (options.markRead) await acknowledge(agent, messages);
    // Without marking, the same messages are there again at once: look now and then instead of all the time.
    if (messages.length > 0 && fresh.length === 0) await sleep(1000, undefined, { signal }).catch(() => {});
  }
}

/** Takes messages out of the inbox and says at once that they have arrived; shown is not read. */
async function take(
  agent: AgentClient,
  options: ReadOptions,
  waitMs: number,
  signal?: AbortSignal,
): Promise<Message[]> {
  const reservation = await agent.reserveInbox({ limit: options.limit, waitMs }, { signal });
  return reservation ? agent.commitInbox({ reservationId: reservation.id }) : [];
}

async function acknowledge(agent: AgentClient, messages: readonly Message[]): Promise<void> {
  if (messages.length > 0) await agent.acknowledgeMessages({ messageIds: messages.map(({ id }) => id) });
}
