import { describe, expect, it } from "vitest";
import type { Agent, Escalation, Health, Message, Overview, ScopeOverview } from "../../protocol/index.ts";
import type { Running } from "../daemon-process/running.ts";
import { checkDaemon, checkOverview } from "./daemon.ts";
import type { Finding } from "./finding.ts";
import { checkNode, diskFinding } from "./machine.ts";
import { checkScope, type ScopeFacts } from "./work.ts";

const NOW = Date.parse("2026-05-05T12:00:00.000Z");
const ago = (ms: number) => new Date(NOW - ms).toISOString();
const brief = (findings: readonly Finding[]) => findings.map(({ check, level }) => `${check} ${level}`);

describe("machine", () => {
  it.each([
    ["20.20.2", "fail"],
    ["22.17.0", "fail"],
    ["22.18.0", "ok"],
    ["24.0.0", "ok"],
  ])("Node %s: %s", (version, level) => {
    expect(checkNode(version).level).toBe(level);
  });

  it("minds a disk that fills up", () => {
    const MIB = 1024 * 1024;
    expect([10 * MIB, 100 * MIB, 1000 * MIB].map((free) => diskFinding(free).level)).toEqual(["fail", "warn", "ok"]);
  });
});

describe("daemon", () => {
  const run = { address: "http://127.0.0.1:1", pid: 7 } as Extract<Running, { state: "running" }>["run"];
  const health: Health = {
    name: "agent-intercom",
    protocolVersion: "1.0",
    runtimeVersion: "1.2.3",
    features: [],
    compatible: [],
    instanceId: "dmn_1",
    status: "ready",
    startedAt: ago(0),
    storage: { backend: "sqlite", status: "available" },
  };

  it.each<[Running, string[]]>([
    [{ state: "stopped" }, ["daemon fail"]],
    [{ state: "untrusted", reason: "it is a link" }, ["run-file fail"]],
    [{ state: "stale", run }, ["daemon fail"]],
    [{ state: "unresponsive", run }, ["run-file ok", "daemon fail"]],
    [{ state: "running", run, health }, ["run-file ok", "daemon ok", "protocol ok", "version ok"]],
    [
      { state: "running", run, health: { ...health, runtimeVersion: "1.0.0" } },
      ["run-file ok", "daemon ok", "protocol ok", "version warn"],
    ],
    [
      { state: "running", run, health: { ...health, protocolVersion: "2.0" } },
      ["run-file ok", "daemon ok", "protocol fail", "version ok"],
    ],
    [
      {
        state: "running",
        run,
        health: { ...health, status: "not_ready", storage: { backend: "sqlite", status: "unavailable" } },
      },
      ["run-file ok", "daemon ok", "protocol ok", "version ok", "storage fail"],
    ],
  ])("%#", (running, expected) => {
    const findings = checkDaemon(running, "1.2.3");
    expect(brief(findings)).toEqual(expected);
    for (const { level, meaning, action } of findings) expect(level === "ok" || Boolean(meaning && action)).toBe(true);
  });

  it("minds a clock that jumped and a log that is never merged", () => {
    const overview = (generatedAt: string, walBytes: number) =>
      ({ generatedAt, storage: { backend: "sqlite", databaseBytes: 1, walBytes } }) as Overview;
    expect(brief(checkOverview(overview(ago(1000), 1), NOW))).toEqual(["storage ok", "clock ok"]);
    expect(brief(checkOverview(overview(ago(3_600_000), 2 ** 30), NOW))).toEqual(["storage warn", "clock warn"]);
  });
});

describe("work", () => {
  const overview = {
    scopeId: "s",
    agents: 1,
    reachableAgents: 1,
    pendingLinkRequests: 0,
    unreadHumanMessages: 0,
  } as ScopeOverview;
  const facts = (changes: Partial<ScopeFacts>): ScopeFacts => ({
    overview,
    agents: [],
    waiting: new Map(),
    deadLetters: [],
    questions: [],
    ...changes,
  });
  const agent = (changes: Partial<Agent>) =>
    ({
      id: "a",
      reachable: true,
      ready: true,
      lastSeenAt: ago(0),
      owes: { undelivered: 2, unanswered: 0 },
      ...changes,
    }) as Agent;
  const message = { id: "msg_1" } as Message;
  const question = (age: number) => ({ createdAt: ago(age) }) as Escalation;

  it.each<[string, Partial<ScopeFacts>, string[]]>([
    ["nothing to say", {}, ["scope ok"]],
    ["mail for a live reader", { agents: [agent({})] }, ["scope ok"]],
    ["mail for a live agent that does not read", { agents: [agent({ ready: false })] }, ["mail-not-read warn"]],
    [
      "mail for an agent that was there a moment ago",
      { agents: [agent({ reachable: false, lastSeenAt: ago(30_000) })], waiting: new Map([["a", [message]]]) },
      ["mail-without-recipient warn"],
    ],
    [
      "mail for an agent that is gone",
      { agents: [agent({ reachable: false, lastSeenAt: ago(300_000) })], waiting: new Map([["a", [message]]]) },
      ["mail-without-recipient fail"],
    ],
    ["only the daemon's notices for an agent that is gone", { agents: [agent({ reachable: false })] }, ["scope ok"]],
    ["dead letters", { deadLetters: [message] }, ["dead-letters warn"]],
    ["a fresh question", { questions: [question(1000)] }, ["questions ok"]],
    ["an old question", { questions: [question(1000), question(700_000)] }, ["questions warn"]],
    [
      "link requests and unread notes",
      { overview: { ...overview, pendingLinkRequests: 1, unreadHumanMessages: 1 } },
      ["link-requests warn", "inbox ok"],
    ],
  ])("%s", (_name, changes, expected) => {
    expect(brief(checkScope(facts(changes), NOW))).toEqual(expected);
  });
});
