import { Option } from "commander";
import { ESCALATION_STATUSES, type EscalationStatus } from "../../protocol/index.ts";
import { given, wholeNumber } from "../arguments.ts";
import { type Register, subcommand } from "../command.ts";
import { Context, type Owner } from "../context.ts";
import { usageError } from "../errors.ts";
import { escalationContext, escalationText } from "../output/describe.ts";
import { questionHistory } from "../output/question-history.ts";
import { type ForwardPage, forwardPage, noticeMore } from "../paging.ts";
import { textOrStdin } from "../stdin.ts";
import { registerEscalationTime } from "./escalation-time.ts";

/** Events of a question that are shown: more than one comes to before somebody plays with it. */
const SHOWN_EVENTS = 100;

interface ListOptions extends ForwardPage {
  readonly all?: boolean;
  readonly status?: EscalationStatus;
}

export const register: Register = (command, invocation) => {
  const list = subcommand(command, "list", {
    summary: "show the questions that wait for you",
    isDefault: true,
    examples: [["escalations"], ["escalations list --all"], ["escalations list --status expired"]],
  })
    .option("--all", "also those already settled")
    .addOption(new Option("--status <status>", "only those in this state").choices([...ESCALATION_STATUSES]));
  forwardPage(list).action(async ({ all, status, ...page }: ListOptions) => {
    const context = new Context(invocation());
    const { out } = context;
    const { client } = await context.owner();
    const wanted = status ?? (all ? undefined : ("pending" as const));
    const result = await client.listEscalationsPage(given({ ...page, status: wanted }));
    out.result(result, () =>
      result.escalations.length === 0
        ? "No questions."
        : result.escalations.map((each) => escalationText(each, out)).join("\n\n"),
    );
    if (result.escalations.some((each) => each.status === "pending")) {
      out.hint("\nAnswer with: agent-intercom escalations answer <id> <answer>");
    }
    noticeMore(out, "--after", result.nextCursor);
  });

  subcommand(command, "show <id>", {
    summary: "show one question with its context and history",
    examples: [["escalations show ask_0199..."]],
  }).action(async (escalationId: string) => {
    const context = new Context(invocation());
    const { client } = await context.owner();
    const { out, io } = context;
    const escalation = await client.getScopeEscalation({ escalationId });
    // What a script reads nobody has seen.
    if (escalation.status === "pending" && io.stdout.isTTY) {
      await client.recordEscalationNotice({ escalationId, surface: "cli", verdict: "seen" });
    }
    const { events } = await client.listEventsPage({ subjectId: escalationId, limit: SHOWN_EVENTS });
    out.result({ ...escalation, events }, () =>
      [escalationText(escalation, out), escalationContext(escalation), questionHistory(events, out)].join(""),
    );
  });

  subcommand(command, "answer <id> [answer]", {
    summary: "answer a question",
    about:
      "Answers a question. The first answer wins. Without an answer, or with -, it is read from standard input. An answer " +
      "to an expired question is delivered as late.",
    examples: [
      ['escalations answer ask_0199... "Use PostgreSQL."'],
      ["escalations answer ask_0199... --option 2", "the second of the answers to choose from"],
    ],
  })
    .option("--option <number>", "choose one of the given answers", wholeNumber(1, 4))
    .option("--note <text>", "what the agent should mind besides the answer")
    .action(async (escalationId: string, text: string | undefined, options: { option?: number; note?: string }) => {
      const context = new Context(invocation());
      const owner = await context.owner();
      const answer =
        options.option === undefined
          ? await textOrStdin(text, context.io, "answer")
          : await choose(owner, escalationId, text, options.option);
      const escalation = await owner.client.resolveEscalation({
        escalationId,
        answer,
        by: "human",
        surface: "cli",
        ...given({ note: options.note }),
      });
      const late = escalation.resolution?.late ? " The question had expired, so it arrives as late." : "";
      context.out.result(escalation, () => `Answered ${escalation.agentId}.${late}`);
      context.out.hint(`Not what you meant? Within 10 seconds: agent-intercom escalations withdraw ${escalation.id}`);
    });

  registerEscalationTime(command, () => new Context(invocation()));
};

async function choose(
  { client }: Owner,
  escalationId: string,
  text: string | undefined,
  option: number,
): Promise<string> {
  if (text !== undefined) throw usageError("Give either an answer or --option, not both.");
  const { options } = await client.getScopeEscalation({ escalationId });
  const chosen = options[option - 1];
  if (chosen !== undefined) return chosen;
  throw usageError(
    options.length === 0
      ? "This question has no answers to choose from."
      : `This question has ${options.length} answers to choose from.`,
  );
}
