import { type Command, InvalidArgumentError } from "commander";
import { morningIn } from "../../protocol/desktop/questions.ts";
import { durationMs } from "../arguments.ts";
import { subcommand } from "../command.ts";
import type { Context } from "../context.ts";
import { escapeForTerminal } from "../output/text.ts";
import { clockTime } from "../output/time.ts";

/** What `--for` takes: a length of time in ms, given when it is known what time it is. */
type Span = (now: number) => number;

function span(text: string): Span {
  if (text === "tomorrow") return (now) => morningIn(1, now) - now;
  try {
    const ms = durationMs(text);
    return () => ms;
  } catch {
    throw new InvalidArgumentError("Expected a duration such as 10m or 1h, tomorrow, or 0 for now.");
  }
}

/** Not now, and not so after all. */
export function registerEscalationTime(command: Command, connect: () => Context): void {
  subcommand(command, "snooze <id>", {
    summary: "put a question off",
    about:
      "Puts a question off. It stays open, and the agent is told when you will look again, so that it can go on with other " +
      "work. An expiry stays what it was. With --for 0 the question is back.",
    examples: [["escalations snooze ask_0199... --for 1h"], ["escalations snooze ask_0199... --for tomorrow"]],
  })
    .requiredOption("--for <time>", "how long: 10m, 1h, tomorrow, at most 7d", span)
    .action(async (escalationId: string, options: { for: Span }) => {
      const context = connect();
      const { out } = context;
      const { client } = await context.owner();
      const escalation = await client.deferEscalation({ escalationId, delayMs: options.for(out.now()) });
      const { agentId, deferredUntil } = escalation;
      out.result(escalation, () =>
        deferredUntil === undefined
          ? `${escapeForTerminal(agentId)} has been told that you look at it again.`
          : `Put off until ${clockTime(deferredUntil, out.now())}; ${escapeForTerminal(agentId)} has been told.`,
      );
    });

  subcommand(command, "withdraw <id>", {
    summary: "take an answer back that the agent has not read yet",
    about: "Takes an answer back, within 10 seconds and unless the agent has read it. The question is open again.",
    examples: [["escalations withdraw ask_0199..."]],
  }).action(async (escalationId: string) => {
    const context = connect();
    const { client } = await context.owner();
    const escalation = await client.withdrawAnswer({ escalationId });
    context.out.result(escalation, () => "Taken back: the question is open again.");
  });
}
