import { type Command, Option } from "commander";
import { LIMITS, PROGRESS_KINDS, type Task } from "../../protocol/index.ts";
import { durationMs, given } from "../arguments.ts";
import { subcommand } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError, usageError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { escapeForTerminal } from "../output/text.ts";

/** What an agent does with tasks; each needs the token of a running agent. */
export function registerTaskWork(command: Command, connect: () => Context): void {
  subcommand(command, "claim [task]", {
    summary: "as an agent, take a task",
    about: "Takes a task for the agent this shell belongs to, so that no other agent works on it.",
    examples: [["task claim task_0199..."], ["task claim --next --wait 25s", "the most pressing one it can do"]],
  })
    .option("--next", "the best task this agent may take")
    .option("--wait <duration>", "with --next: wait this long for one", durationMs)
    .action(async (taskId: string | undefined, { next, wait }: { next?: boolean; wait?: number }) => {
      if ((taskId === undefined) !== (next ?? false)) throw usageError("Name the task, or use --next.");
      const context = connect();
      const agent = context.requireAgent("claim a task");
      const task =
        taskId === undefined
          ? await agent.claimNextTask({ waitMs: Math.min(wait ?? 0, LIMITS.waitMaxMs) })
          : await agent.claimTask({ taskId });
      if (!task) throw new CliError("No task is ready for this agent.", { exitCode: EXIT.timeout, code: "NO_TASK" });
      sayTask(context, task, "Claimed");
    });

  subcommand(command, "progress <task> <text>", {
    summary: "as an agent, report on a task",
    examples: [
      ['task progress task_0199... "half of the tests pass"'],
      ['task progress task_0199... "no database" --kind blocker'],
    ],
  })
    .addOption(new Option("--kind <kind>", "what it is").choices([...PROGRESS_KINDS]).default("progress"))
    .action(async (taskId: string, text: string, { kind }: { kind: (typeof PROGRESS_KINDS)[number] }) => {
      const context = connect();
      const entry = await context.requireAgent("report on a task").addTaskProgress({ taskId, kind, text });
      context.out.result(entry, () => `Reported on ${entry.taskId}.`);
    });

  subcommand(command, "complete <task>", {
    summary: "as an agent, finish a task",
    examples: [['task complete task_0199... --note "merged as 4f2a"']],
  })
    .option("--note <text>", "what came out of it")
    .action(async (taskId: string, { note }: { note?: string }) => {
      const context = connect();
      sayTask(
        context,
        await context.requireAgent("complete a task").completeTask({ taskId, ...given({ note }) }),
        "Completed",
      );
    });

  subcommand(command, "release <task>", {
    summary: "as an agent, give a task back",
    examples: [["task release task_0199..."]],
  }).action(async (taskId: string) => {
    const context = connect();
    sayTask(context, await context.requireAgent("release a task").releaseTask({ taskId }), "Released");
  });
}

/** Says in one line what happened to a task. */
export function sayTask(context: Context, task: Task, verb: string): void {
  context.out.result(task, () => `${verb} ${task.id}: ${escapeForTerminal(task.title)}`);
}
