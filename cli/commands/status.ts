import { type Health, isIntercomError, type Overview, type ScopeOverview } from "../../protocol/index.ts";
import { examples, type Register } from "../command.ts";
import { Context } from "../context.ts";
import { askHealth, findRunning, type Running } from "../daemon-process/running.ts";
import { toCliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { agentDetails } from "../output/describe.ts";
import type { Printer } from "../output/printer.ts";
import { facts, table } from "../output/table.ts";
import { bytes, count } from "../output/text.ts";
import { relative } from "../output/time.ts";

export const register: Register = (command, invocation) => {
  command.description(
    "Shows whether the daemon runs, and in numbers what goes on in each scope. Exits with 3 when it does not run.",
  );
  examples(command, [["status"], ["status --json"]]);
  command.action(async () => {
    const run = invocation();
    const context = new Context(run);
    const given = run.options.address || run.io.env.AGENT_INTERCOM_ADDRESS;
    if (given) return void (await showGiven(context, given));
    const running = await findRunning(context.runFilePath);
    if (running.state !== "running") {
      run.exitCode = EXIT.notRunning;
      return showStopped(context.out, running);
    }
    const overview = context.isAgentShell() ? undefined : await context.admin().overview();
    show(context.out, running.health, running.run.address, running, overview);
  });
};

/** A daemon named by its address: what anybody may know, and more where this shell may. */
async function showGiven(context: Context, address: string): Promise<void> {
  const health = await askHealth(address, 5000);
  const agent = context.agent();
  if (agent) {
    const { agent: me } = await agent.whoAmI();
    return context.out.result(
      { address, health, agent: me },
      () => `${headline(health, address)}\n\n${agentDetails(me, context.out)}`,
    );
  }
  show(context.out, health, address, undefined, await overviewIfAllowed(context));
}

async function overviewIfAllowed(context: Context): Promise<Overview | undefined> {
  try {
    return await context.admin().overview();
  } catch (error) {
    if (isIntercomError(error) && error.code !== "UNAUTHENTICATED") throw error;
    context.out.notice(`Only its health is shown: ${toCliError(error).message}`);
    return undefined;
  }
}

function showStopped(out: Printer, running: Exclude<Running, { state: "running" }>): void {
  const pid = "run" in running ? running.run.pid : undefined;
  const text = {
    stopped: "The daemon is not running. Start it with: agent-intercom start",
    stale: "The daemon is not running; it ended without clearing up. Start it again with: agent-intercom start",
    unresponsive: `The daemon (pid ${pid}) does not answer. Look closer with: agent-intercom doctor`,
    untrusted: `The run file cannot be trusted: ${"reason" in running ? running.reason : ""}. See: agent-intercom doctor`,
  }[running.state];
  out.result({ running: false, state: running.state, ...(pid ? { pid } : {}) }, () => text);
}

function show(
  out: Printer,
  health: Health,
  address: string,
  running: (Running & { state: "running" }) | undefined,
  overview: Overview | undefined,
): void {
  const run = running?.run;
  const data = {
    running: true,
    address,
    health,
    ...(run ? { octoberBusAddress: run.octoberBusAddress, pid: run.pid, owner: run.owner } : {}),
    ...(overview ? { overview } : {}),
  };
  out.result(data, () => {
    const { storage } = overview ?? {};
    const since = `started ${relative(health.startedAt, out.now())}`;
    const guests: [string, string][] = run?.octoberBusAddress ? [["October Bus 0.1", run.octoberBusAddress]] : [];
    const lines = facts([
      ["Process", run ? `pid ${run.pid}, ${since} by ${run.owner}` : since],
      // The listener for clients of October Bus says nothing of others.
      ["Protocol", [health.protocolVersion, ...(health.compatible ?? [])].join(", ")],
      ...guests,
      [
        "Storage",
        `${health.storage.backend} ${health.storage.status}${storage ? `, ${bytes(storage.databaseBytes + storage.walBytes)}` : ""}`,
      ],
    ]);
    const parts = [`${headline(health, address)}\n${lines}`];
    if (overview)
      parts.push(
        overview.scopes.length === 0 ? "No scopes yet." : scopeTable(overview.scopes, out.width),
        ...attention(overview),
      );
    return parts.join("\n\n");
  });
}

function headline(health: Health, address: string): string {
  const state = health.status === "ready" ? "ready" : "not ready";
  return `Agent Intercom ${health.runtimeVersion} is ${state} at ${address}`;
}

function scopeTable(scopes: readonly ScopeOverview[], width: number | undefined): string {
  const number = (title: string, cell: (scope: ScopeOverview) => number) => ({
    title,
    cell: (scope: ScopeOverview) => String(cell(scope)),
    align: "right" as const,
  });
  return table<ScopeOverview>(
    [
      { title: "scope", cell: ({ scopeId }) => scopeId, shrinkTo: 12 },
      { title: "links", cell: ({ linkPolicy }) => linkPolicy },
      { title: "agents live", cell: (scope) => `${scope.reachableAgents} of ${scope.agents}`, align: "right" },
      number("tasks open", (scope) => scope.openTasks),
      number("claimed", (scope) => scope.claimedTasks),
      number("undelivered", (scope) => scope.undeliveredMessages),
      number("questions", (scope) => scope.pendingEscalations),
    ],
    scopes,
    width,
  );
}

/** What waits for the human, and where to see it. */
function attention({ totals }: Overview): string[] {
  const lines = [
    totals.pendingEscalations > 0 &&
      `${count(totals.pendingEscalations, "question")} for you: agent-intercom escalations`,
    totals.unreadHumanMessages > 0 &&
      `${count(totals.unreadHumanMessages, "unread message")} for you: agent-intercom inbox`,
    totals.pendingLinkRequests > 0 &&
      `${count(totals.pendingLinkRequests, "link request")} for you: agent-intercom link requests`,
  ].filter((line) => line !== false);
  return lines.length > 0 ? [lines.join("\n")] : [];
}
