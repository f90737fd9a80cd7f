import { Option } from "commander";
import type { AgentClient } from "../../client/index.ts";
import { type Escalation, LIMITS, type OperationInput } from "../../protocol/index.ts";
import { durationMs, given, repeated } from "../arguments.ts";
import { examples, type Register } from "../command.ts";
import { Context } from "../context.ts";
import { contextItems } from "../context-items.ts";
import { CliError, usageError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { escapeBlockForTerminal } from "../output/text.ts";
import { clockTime } from "../output/time.ts";
import { interruption } from "../signals.ts";

type AskInput = OperationInput<"askHuman">;

interface AskOptions {
  readonly option?: string[];
  readonly kind?: NonNullable<AskInput["kind"]>;
  readonly urgency?: NonNullable<AskInput["urgency"]>;
  readonly context?: string[];
  readonly attach?: string[];
  readonly expires?: number;
  readonly timeout?: number;
  /** False with --no-wait. */
  readonly wait?: boolean;
  readonly resume?: string;
}

export const register: Register = (command, invocation) => {
  command
    .description(
      "Asks the human as the agent this shell belongs to, waits for the answer and prints it. The question outlives this " +
        "command: after a timeout or Ctrl-C wait on with --resume.",
    )
    .argument("[question]", "what you want to know")
    .option("--option <text>", "an answer to choose from, 2 to 4 of them; repeat it", repeated)
    .addOption(new Option("--kind <kind>", "what kind of answer is needed").choices(["input", "permission", "choice"]))
    .addOption(new Option("--urgency <urgency>", "how urgent it is").choices(["low", "normal", "high"]))
    .option("--context <text>", "text the human needs to decide; may be repeated", repeated)
    .option("--attach <item>", "file:PATH or a URL, by name; may be repeated", repeated)
    .option("--expires <duration>", "the question expires unanswered after this time", durationMs)
    .option("--timeout <duration>", "stop waiting after this time; the question stays open", durationMs)
    .option("--no-wait", "print the question's id and do not wait")
    .option("--resume <id>", "wait for the answer to a question asked before")
    .action(async (question: string | undefined, options: AskOptions) => {
      const run = invocation();
      const context = new Context(run);
      const agent = context.requireAgent("ask the human");
      const asked = await begin(agent, question, options);
      if (options.wait === false) return context.out.result(asked, () => asked.id);
      const answered = await waitForAnswer(agent, asked, options.timeout, interruption(), ({ deferredUntil }) =>
        context.out.notice(
          deferredUntil === undefined
            ? "The human is looking at the question again."
            : `The human has put the question off until ${clockTime(deferredUntil, context.out.now())}.`,
        ),
      );
      finish(context, answered);
    });
  examples(command, [
    ['ask "Which database should the tests use?"'],
    ['ask "Drop the old table?" --kind permission --option yes --option no --expires 1h'],
    ["ask --resume ask_0199... --timeout 10m"],
  ]);
};

function begin(agent: AgentClient, question: string | undefined, options: AskOptions): Promise<Escalation> {
  if ((question === undefined) === (options.resume === undefined)) {
    throw usageError("Give either a question or --resume with the id of one asked before.");
  }
  if (options.resume !== undefined) return agent.getEscalation({ escalationId: options.resume });
  const { kind, urgency, expires: expiresInMs } = options;
  const context = contextItems(options.context, options.attach);
  return agent.askHuman({
    question: question as string,
    ...given({ kind, urgency, expiresInMs, options: options.option }),
    ...(context.length > 0 ? { context } : {}),
  });
}

/** Waits in bounded steps, so that a daemon that restarts in between costs nothing. */
async function waitForAnswer(
  agent: AgentClient,
  asked: Escalation,
  timeoutMs: number | undefined,
  signal: AbortSignal,
  onDeferred: (question: Escalation) => void,
): Promise<Escalation> {
  const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  let current = asked;
  while (current.status === "pending") {
    const remaining = deadline - performance.now();
    if (remaining <= 0) throw stillOpen(current, "No answer in the time given.", EXIT.timeout, "TIMEOUT");
    const waitMs = Math.ceil(Math.min(remaining, LIMITS.waitMaxMs));
    const { deferredUntil } = current;
    try {
      current = await agent.getEscalation({ escalationId: asked.id, waitMs }, { signal, retries: 5 });
    } catch (error) {
      if (signal.aborted) throw stillOpen(current, "Interrupted.", EXIT.interrupted, "INTERRUPTED");
      throw error;
    }
    if (current.status === "pending" && current.deferredUntil !== deferredUntil) onDeferred(current);
  }
  return current;
}

function stillOpen({ id }: Escalation, message: string, exitCode: number, code: string): CliError {
  return new CliError(`${message} The question is still open.`, {
    exitCode,
    code,
    details: { escalationId: id },
    hint: `Wait on with: agent-intercom ask --resume ${id}`,
  });
}

function finish({ out }: Context, escalation: Escalation): void {
  const { id, status, answer, cancelReason } = escalation;
  if (status === "resolved" || answer !== undefined) {
    out.result(escalation, () => escapeBlockForTerminal(answer ?? ""));
    return;
  }
  const details = { escalationId: id };
  if (status === "expired") {
    throw new CliError("The question expired without an answer. That is not a yes.", {
      exitCode: EXIT.expired,
      code: "EXPIRED",
      details,
      hint: "Ask again if you still need to know. A late answer arrives in the agent's inbox.",
    });
  }
  const why = cancelReason ? ` (${cancelReason})` : "";
  throw new CliError(`The question was taken back${why}.`, { exitCode: EXIT.cancelled, code: "CANCELLED", details });
}
