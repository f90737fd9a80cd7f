import type { Agent, Escalation, Message, ScopeOverview } from "../../protocol/index.ts";
import { count } from "../output/text.ts";
import { duration } from "../output/time.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

/** What is known of one scope. */
export interface ScopeFacts {
  readonly overview: ScopeOverview;
  /** Agents that owe something. */
  readonly agents: readonly Agent[];
  /** Messages that wait for agents without a live session, the daemon's own notices left out. */
  readonly waiting: ReadonlyMap<string, readonly Message[]>;
  readonly deadLetters: readonly Message[];
  readonly questions: readonly Escalation[];
}

/** An agent that was there a moment ago may be restarting. */
const RESTART_GRACE_MS = 60_000;
const PATIENCE_MS = 10 * 60_000;

/** Whether mail reaches somebody, and whether anybody waits for the human. */
export function checkScope(facts: ScopeFacts, now: number): Finding[] {
  const findings = [...checkMail(facts, now), ...checkDeadLetters(facts), ...checkHuman(facts, now)];
  if (findings.length > 0) return findings;
  const { scopeId, reachableAgents, agents } = facts.overview;
  return [
    ok(
      "scope",
      `Scope ${scopeId}: ${reachableAgents} of ${count(agents, "agent")} live, no mail stuck, nobody waits for you`,
    ),
  ];
}

function checkMail({ overview, agents, waiting }: ScopeFacts, now: number): Finding[] {
  return agents.flatMap((agent) => {
    const undelivered = agent.reachable ? agent.owes.undelivered : (waiting.get(agent.id)?.length ?? 0);
    if (undelivered === 0) return [];
    const mail = `${count(undelivered, "message")} for ${agent.id} in ${overview.scopeId}`;
    if (!agent.reachable) {
      const silentMs = now - Date.parse(agent.lastSeenAt);
      const finding = silentMs > RESTART_GRACE_MS ? fail : warn;
      return [
        finding(
          "mail-without-recipient",
          `${mail}, which has no live session (seen ${duration(silentMs)} ago)`,
          "The messages are safe but nobody reads them, and their senders may be waiting.",
          `Start the agent again, or see what waits: agent-intercom message list --scope ${overview.scopeId} --agent ${agent.id}`,
        ),
      ];
    }
    if (agent.ready) return [];
    return [
      warn(
        "mail-not-read",
        `${mail}, which is live but does not read its inbox`,
        "It may be busy, or the program does not use its inbox.",
        `agent-intercom agent show --scope ${overview.scopeId} ${agent.id}`,
      ),
    ];
  });
}

function checkDeadLetters({ overview, deadLetters }: ScopeFacts): Finding[] {
  if (deadLetters.length === 0) return [];
  return [
    warn(
      "dead-letters",
      `${count(deadLetters.length, "message")} set aside in ${overview.scopeId}`,
      "Their recipients could not deal with them, and they are not delivered again by themselves.",
      `agent-intercom message list --scope ${overview.scopeId} --state dead_lettered --full, then: agent-intercom message requeue <id>`,
    ),
  ];
}

function checkHuman({ overview, questions }: ScopeFacts, now: number): Finding[] {
  const findings: Finding[] = [];
  const { scopeId, pendingLinkRequests, unreadHumanMessages } = overview;
  const oldest = Math.max(0, ...questions.map((question) => now - Date.parse(question.createdAt)));
  if (questions.length > 0) {
    const found = `${count(questions.length, "question")} for you in ${scopeId}, the oldest ${duration(oldest)} old`;
    findings.push(
      oldest > PATIENCE_MS
        ? warn("questions", found, "Agents wait for your answer.", `agent-intercom escalations --scope ${scopeId}`)
        : ok("questions", found),
    );
  }
  if (pendingLinkRequests > 0) {
    findings.push(
      warn(
        "link-requests",
        `${count(pendingLinkRequests, "link request")} in ${scopeId}`,
        "Agents wait for leave to talk to each other.",
        `agent-intercom link requests --scope ${scopeId}`,
      ),
    );
  }
  if (unreadHumanMessages > 0)
    findings.push(ok("inbox", `${count(unreadHumanMessages, "unread message")} for you in ${scopeId}`));
  return findings;
}
