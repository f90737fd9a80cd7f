import { Option } from "commander";
import {
  type ContextItem,
  HUMAN_PARTY,
  MESSAGE_MODES,
  MESSAGE_STATES,
  type Message,
  type MessageMode,
  type MessageState,
  type Receipt,
} from "../../protocol/index.ts";
import { durationMs, given, repeated } from "../arguments.ts";
import { type Register, subcommand } from "../command.ts";
import { Context } from "../context.ts";
import { contextItems } from "../context-items.ts";
import { usageError } from "../errors.ts";
import { messageBrief, messageFull, receiptText } from "../output/describe.ts";
import { facts } from "../output/table.ts";
import { relative } from "../output/time.ts";
import { type BackwardPage, backwardPage, noticeMore } from "../paging.ts";
import { textOrStdin } from "../stdin.ts";

interface SendOptions {
  readonly mode?: MessageMode;
  readonly replyTo?: string;
  readonly expires?: number;
  readonly context?: string[];
  readonly attach?: string[];
  readonly key?: string;
}

interface ListOptions extends BackwardPage {
  readonly agent?: string;
  readonly with?: string;
  readonly human?: boolean;
  readonly state?: MessageState;
  readonly full?: boolean;
}

export const register: Register = (command, invocation) => {
  const connect = () => new Context(invocation());

  subcommand(command, "send <to> [text]", {
    summary: "send a message to an agent",
    about:
      "Sends a message to an agent: as the human, or as the agent this shell belongs to. As an agent, `human` as the " +
      "recipient is you. Without text, or with -, it is read from standard input.",
    examples: [
      ['message send reviewer "The tests are green again."'],
      ['message send reviewer "Please review." --mode request --attach file:src/cart.ts'],
      ['message send planner "Looks good." --reply-to msg_0199...'],
      ["git diff | agent-intercom message send reviewer -"],
    ],
  })
    .addOption(new Option("--mode <mode>", "request expects an answer (default: notify)").choices([...MESSAGE_MODES]))
    .option("--reply-to <message>", "answer this request")
    .option("--expires <duration>", "give up delivery after this time", durationMs)
    .option("--context <text>", "text that goes along; may be repeated", repeated)
    .option("--attach <item>", "file:PATH or a URL that goes along, by name; may be repeated", repeated)
    .option("--key <key>", "idempotency key: sending again with it changes nothing")
    .action(async (to: string, text: string | undefined, options: SendOptions) => {
      const context = connect();
      const body = await textOrStdin(text, context.io, "text of the message");
      const receipt = await send(context, to, body, options);
      context.out.result(receipt, () => receiptText(receipt, to, context.out));
    });

  subcommand(command, "receipt <message>", {
    summary: "show how far a message has come",
    examples: [["message receipt msg_0199..."]],
  }).action(async (messageId: string) => {
    const context = connect();
    const { out } = context;
    const agent = context.agent();
    const found: Message | Receipt = agent
      ? await agent.getReceipt({ messageId })
      : await (await context.owner()).client.getMessage({ messageId });
    out.result("body" in found ? receiptOf(found) : found, () => receiptFacts(found, out.now()));
  });

  const list = subcommand(command, "list", {
    summary: "read conversations, newest first",
    examples: [
      ["message list --agent planner --with reviewer"],
      ["message list --human", "your own conversations"],
      ["message list --state dead_lettered --full"],
    ],
  })
    .option("--agent <id>", "only messages from or to this agent")
    .option("--with <id>", "only those between --agent and this one")
    .option("--human", "only those from or to you")
    .addOption(new Option("--state <state>", "only those in this state").choices([...MESSAGE_STATES]))
    .option("--full", "whole messages with their context");
  backwardPage(list).action(async (options: ListOptions) => {
    const context = connect();
    const { out } = context;
    const page = await listMessages(context, options);
    const show = options.full ? messageFull : messageBrief;
    out.result(page, () =>
      page.messages.length === 0
        ? "There are no such messages."
        : page.messages.map((each) => show(each, out)).join("\n"),
    );
    noticeMore(out, "--before", page.nextCursor);
  });

  subcommand(command, "show <message>", {
    summary: "show one message",
    examples: [["message show msg_0199..."]],
  }).action(async (messageId: string) => {
    const context = connect();
    const message = await (await context.owner()).client.getMessage({ messageId });
    context.out.result(message, () => messageFull(message, context.out));
  });

  subcommand(command, "requeue <message>", {
    summary: "give a message that was set aside another chance",
    about: "Gives a dead-lettered message another chance: it goes back to its recipient's inbox.",
    examples: [["message requeue msg_0199..."]],
  }).action(async (messageId: string) => {
    const context = connect();
    const message = await (await context.owner()).client.requeueMessage({ messageId });
    context.out.result(message, () => `${message.id} waits for ${message.to} again.`);
  });
};

async function send(context: Context, to: string, body: string, options: SendOptions): Promise<Receipt> {
  const mode = options.mode ?? (options.replyTo ? "response" : undefined);
  const items: ContextItem[] = contextItems(options.context, options.attach);
  const input = {
    to,
    body,
    ...given({ mode, responseTo: options.replyTo, expiresInMs: options.expires, idempotencyKey: options.key }),
    ...(items.length > 0 ? { context: items } : {}),
  };
  const agent = context.agent();
  if (agent) return agent.sendMessage(to === HUMAN_PARTY ? { ...input, toKind: "human" } : input);
  if (to === HUMAN_PARTY) throw usageError("You are the human. Name the agent the message is for.");
  return (await context.owner()).client.sendHumanMessage(input);
}

async function listMessages(context: Context, options: ListOptions) {
  const { limit, before, state } = options;
  const agent = context.agent();
  if (agent) return agent.listMyMessages(given({ limit, before, peer: options.with ?? options.agent }));
  const { client } = await context.owner();
  const peerKind = options.human ? ("human" as const) : undefined;
  return client.listMessages(given({ limit, before, state, peerKind, agent: options.agent, peer: options.with }));
}

function receiptOf(message: Message): Receipt {
  const { deliveredAt, acknowledgedAt, deadLetteredAt, deadLetterReason, repliedAt, responseMessageId } = message;
  return {
    messageId: message.id,
    state: message.state,
    acceptedAt: message.createdAt,
    ...given({ deliveredAt, acknowledgedAt, deadLetteredAt, deadLetterReason, repliedAt, responseMessageId }),
  };
}

function receiptFacts(found: Message | Receipt, now: number): string {
  const receipt = "body" in found ? receiptOf(found) : found;
  const when = (instant: string | undefined) => (instant === undefined ? undefined : relative(instant, now));
  return facts([
    ["Message", receipt.messageId],
    ["To", "to" in found ? found.to : undefined],
    ["State", receipt.state.replace("_", " ")],
    ["Accepted", when(receipt.acceptedAt)],
    ["Delivered", when(receipt.deliveredAt)],
    ["Acknowledged", when(receipt.acknowledgedAt)],
    ["Answered", when(receipt.repliedAt)],
    ["Answer", receipt.responseMessageId],
    ["Set aside", when(receipt.deadLetteredAt)],
    ["Because", receipt.deadLetterReason],
  ]);
}
