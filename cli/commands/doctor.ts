import type { AdminClient, ScopeClient } from "../../client/index.ts";
import { type Directories, resolveDirectories } from "../../daemon/runtime/paths.ts";
import { productVersion } from "../../daemon/runtime/process-info.ts";
import { type Agent, LIMITS, type Message, type ScopeOverview } from "../../protocol/index.ts";
import { given } from "../arguments.ts";
import { examples, type Invocation, type Register } from "../command.ts";
import { Context } from "../context.ts";
import { checkDaemon, checkOverview } from "../doctor/daemon.ts";
import { checkData } from "../doctor/data.ts";
import { type Finding, fail, type Level, ok, warn } from "../doctor/finding.ts";
import { checkDirectories, checkDisk, checkNode } from "../doctor/machine.ts";
import { closeDirectories, DAEMON_AWAY, lookForDaemon } from "../doctor/repair.ts";
import { checkScope, type ScopeFacts } from "../doctor/work.ts";
import { toCliError, usageError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import type { Printer, Style } from "../output/printer.ts";
import { count, escapeForTerminal } from "../output/text.ts";

const MAX_AGENTS = 5000;
/** Of agents that are not there; more would say the same once more. */
const MAX_MAILBOXES = 50;
const MARKS: Readonly<Record<Level, readonly [style: Style, word: string]>> = {
  ok: ["green", "ok  "],
  fixed: ["green", "done"],
  warn: ["yellow", "warn"],
  fail: ["red", "FAIL"],
};

interface Options {
  readonly dataDir?: string;
  readonly fix?: boolean;
  readonly harness?: string;
  readonly program?: string;
}

export const register: Register = (command, invocation) => {
  command
    .description(
      "Looks at directories, data, daemon, storage, clock and at mail that is stuck, and says what to do. With --harness it runs " +
        "the program of an MCP client instead and sends messages there and back. Exits with 1 when something is wrong.",
    )
    .option("--fix", "repair what can be repaired without risk; most of it while the daemon is stopped")
    .option("--data-dir <dir>", "where the daemon keeps its database and logs")
    .option("--harness <client>", "check a client such as codex by a round trip with its own program, or all of them")
    .option("--program <file>", "with --harness: its program, when that is not on the PATH")
    .action(async (options: Options) => {
      const run = invocation();
      const { io, options: global } = run;
      const directories = resolveDirectories({ env: io.env, dataDir: options.dataDir, runtimeDir: global.runtimeDir });
      const { harness, program, fix } = options;
      if (harness !== undefined) {
        if (fix) throw usageError("--fix and --harness do not go together.");
        const { examineHarness } = await import("../doctor/harness.ts");
        return examineHarness(run, directories, { harness, program });
      }
      if (program !== undefined) throw usageError("--program needs --harness.");
      const findings = await examine(run, directories, options);
      const healthy = findings.every(({ level }) => level !== "fail");
      if (!healthy) run.exitCode = EXIT.failure;
      run.out.result({ healthy, findings, logDir: directories.logDir }, () =>
        report(run.out, findings, directories.logDir),
      );
    });
  examples(command, [
    ["doctor"],
    ["doctor --json"],
    ["doctor --fix", "repairs what it can, and says what it did"],
    ["doctor --harness codex", "a real round trip with the Codex that is installed here"],
  ]);
};

async function examine(
  run: Invocation,
  directories: Directories,
  { fix = false, dataDir }: Options,
): Promise<Finding[]> {
  // Repairs come first, so that what is looked at afterwards is how things are.
  const closed = fix ? closeDirectories(directories) : [];
  const data = await checkData(directories, { fix, dataDir });
  const { running, findings: left } = await lookForDaemon(directories.runFile, fix);
  const findings = [
    checkNode(process.versions.node),
    ...closed,
    ...checkDirectories(directories),
    ...checkDisk(directories.dataDir),
    ...data,
    ...left,
    ...(fix && running.state === "stopped" ? [DAEMON_AWAY] : checkDaemon(running, productVersion())),
  ];
  if (running.state !== "running") return findings;
  const context = new Context(run);
  if (context.isAgentShell()) {
    return [...findings, ok("work", "Mail and questions were not looked at: this shell belongs to an agent")];
  }
  try {
    return [...findings, ...(await examineWork(context.admin(), run.io.now))];
  } catch (error) {
    const { message, hint } = toCliError(error);
    return [
      ...findings,
      fail("work", message, "The daemon runs but does not tell how it is.", hint ?? "Look at its log."),
    ];
  }
}

async function examineWork(admin: AdminClient, now: () => number): Promise<Finding[]> {
  const overview = await admin.overview();
  const findings = checkOverview(overview, now());
  if (overview.scopes.length === 0) {
    findings.push(
      warn("scope", "There is no scope", "Agents have nowhere to register.", "agent-intercom scope create"),
    );
  }
  for (const scope of overview.scopes) findings.push(...checkScope(await scopeFacts(admin, scope), now()));
  return findings;
}

async function scopeFacts(admin: AdminClient, overview: ScopeOverview): Promise<ScopeFacts> {
  const client = admin.scope(overview.scopeId);
  const [debtors, { messages: deadLetters }, { escalations: questions }] = await Promise.all([
    overview.undeliveredMessages > 0 ? agentsWithMail(client) : [],
    client.listMessages({ state: "dead_lettered", limit: LIMITS.messagePageMax }),
    client.listEscalationsPage({ status: "pending", limit: LIMITS.pageMax }),
  ]);
  const waiting = new Map<string, readonly Message[]>();
  for (const { id } of debtors.filter((agent) => !agent.reachable).slice(0, MAX_MAILBOXES)) {
    const { messages } = await client.listMessages({ agent: id, state: "queued", limit: LIMITS.messagePageMax });
    waiting.set(
      id,
      messages.filter((message) => message.to === id && message.fromKind !== "system"),
    );
  }
  return { overview, agents: debtors, waiting, deadLetters, questions };
}

async function agentsWithMail(client: ScopeClient): Promise<Agent[]> {
  const agents: Agent[] = [];
  let after: string | undefined;
  do {
    const page = await client.listAgentsPage(given({ after, limit: LIMITS.pageMax }));
    agents.push(...page.agents.filter(({ owes }) => owes.undelivered > 0));
    after = page.nextCursor;
  } while (after !== undefined && agents.length < MAX_AGENTS);
  return agents;
}

function report(out: Printer, findings: readonly Finding[], logDir: string): string {
  const lines = findings.flatMap(({ level, found, meaning, action }) => {
    const [style, word] = MARKS[level];
    const detail = [meaning, action && `-> ${action}`].filter((line) => line !== undefined);
    return [
      `${out.paint(style, word)}  ${escapeForTerminal(found)}`,
      ...detail.map((line) => `      ${escapeForTerminal(line)}`),
    ];
  });
  const tally = (level: Level): number => findings.filter((finding) => finding.level === level).length;
  const [warnings, failures] = [tally("warn"), tally("fail")];
  const repaired = tally("fixed") > 0 ? `Repaired ${tally("fixed")}. ` : "";
  const verdict =
    failures > 0
      ? `${count(failures, "problem")}${warnings > 0 ? ` and ${count(warnings, "warning")}` : ""}.`
      : warnings > 0
        ? `It works, with ${count(warnings, "warning")}.`
        : "All is well.";
  return [...lines, "", `${repaired}${verdict} Logs: ${logDir}`].join("\n");
}
