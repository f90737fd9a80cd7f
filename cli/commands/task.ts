import { type Command, Option } from "commander";
import { TASK_PRIORITIES, TASK_STATUSES, type TaskPriority, type TaskStatus } from "../../protocol/index.ts";
import { given, list } from "../arguments.ts";
import { type Register, subcommand } from "../command.ts";
import { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { taskDetails, taskTable } from "../output/describe.ts";
import { escapeForTerminal } from "../output/text.ts";
import { type ForwardPage, forwardPage, noticeMore } from "../paging.ts";
import { registerTaskWork, sayTask } from "./task-work.ts";

interface AddOptions {
  readonly description?: string;
  readonly dependsOn?: string[];
  readonly priority?: TaskPriority;
  readonly requires?: string[];
}

export const register: Register = (command, invocation) => {
  const connect = () => new Context(invocation());
  registerBoard(command, connect);
  registerTaskWork(command, connect);
  registerChanges(command, connect);
};

function registerBoard(command: Command, connect: () => Context): void {
  subcommand(command, "add <title>", {
    summary: "add a task",
    examples: [
      ['task add "Write the migration" --priority high'],
      ['task add "Review it" --depends-on task_0199... --requires review', "for an agent that can review"],
    ],
  })
    .option("--description <text>", "what is to be done")
    .option("--depends-on <tasks>", "tasks that must be done first; may be repeated", list)
    .addOption(priorityOption())
    .option("--requires <capabilities>", "only agents with these may claim it; may be repeated", list)
    .action(async (title: string, options: AddOptions) => {
      const context = connect();
      const client = await context.ownerOrAgent({ create: true });
      const { description, priority, requires, dependsOn: dependencies } = options;
      const task = await client.addTask({ title, ...given({ description, dependencies, priority, requires }) });
      context.out.result(
        task,
        () => `Added ${task.id} (${task.ready ? "ready" : "blocked"}): ${escapeForTerminal(task.title)}`,
      );
    });

  const listing = subcommand(command, "list", {
    summary: "show tasks",
    examples: [["task list"], ["task list --ready", "what can be claimed now"], ["task list --status done"]],
  })
    .option("--ready", "only those that can be claimed now")
    .addOption(new Option("--status <status>", "only those in this state").choices([...TASK_STATUSES]));
  forwardPage(listing).action(async (options: ForwardPage & { ready?: boolean; status?: TaskStatus }) => {
    const context = connect();
    const { out } = context;
    const page = await (await context.ownerOrAgent()).listTasksPage(given({ ...options }));
    const none = options.ready ? "No task is ready." : "There are no such tasks.";
    out.result(page, () => (page.tasks.length === 0 ? none : taskTable(page.tasks, out)));
    noticeMore(out, "--after", page.nextCursor);
  });

  subcommand(command, "show <task>", { summary: "show one task", examples: [["task show task_0199..."]] }).action(
    async (taskId: string) => {
      const context = connect();
      const client = await context.ownerOrAgent();
      const [task, progress] = await Promise.all([client.getTask({ taskId }), client.listTaskProgress({ taskId })]);
      context.out.result({ ...task, progress }, () => taskDetails({ ...task, recentProgress: progress }, context.out));
    },
  );
}

function registerChanges(command: Command, connect: () => Context): void {
  subcommand(command, "update <task>", {
    summary: "change a task",
    examples: [["task update task_0199... --priority urgent"]],
  })
    .option("--title <text>", "what it is called")
    .option("--description <text>", "what is to be done")
    .addOption(priorityOption())
    .option("--requires <capabilities>", "only agents with these may claim it; replaces the list", list)
    .action(async (taskId: string, options: Omit<AddOptions, "dependsOn"> & { title?: string }) => {
      if (Object.keys(options).length === 0) throw usageError("Say what to change, e.g. with --priority or --title.");
      const context = connect();
      const task = await (await context.ownerOrAgent()).updateTask({ taskId, ...given({ ...options }) });
      sayTask(context, task, "Changed");
    });

  subcommand(command, "depend <task>", {
    summary: "change what a task waits for",
    examples: [["task depend task_0199... --on task_0198..."], ["task depend task_0199... --not-on task_0198..."]],
  })
    .option("--on <tasks>", "it waits for these too; may be repeated", list)
    .option("--not-on <tasks>", "it waits for these no longer; may be repeated", list)
    .action(async (taskId: string, { on: add, notOn: remove }: { on?: string[]; notOn?: string[] }) => {
      if (!add && !remove) throw usageError("Say which tasks, with --on or --not-on.");
      const context = connect();
      const task = await (await context.ownerOrAgent()).editTaskDependencies({ taskId, ...given({ add, remove }) });
      const waits = task.blockedBy.length === 0 ? "waits for nothing" : `waits for ${task.blockedBy.join(", ")}`;
      context.out.result(task, () => `${task.id} ${waits}.`);
    });

  subcommand(command, "cancel <task>", {
    summary: "call a task off",
    about: "Calls a task off. Tasks that wait for it stay blocked until their dependencies are changed.",
    examples: [['task cancel task_0199... --reason "no longer needed"']],
  })
    .option("--reason <text>", "why, for those who see it")
    .action(async (taskId: string, { reason }: { reason?: string }) => {
      const context = connect();
      sayTask(context, await (await context.ownerOrAgent()).cancelTask({ taskId, ...given({ reason }) }), "Cancelled");
    });
}

function priorityOption(): Option {
  return new Option("--priority <priority>", "how pressing it is (default: normal)").choices([...TASK_PRIORITIES]);
}
