import { agentKey } from "../../protocol/desktop/live.ts";
import { agoFrom, sampleAgent, sampleMessage, sampleQuestion, sampleTask } from "./sample.ts";
import { fillTeam } from "./team.ts";
import { World } from "./world.ts";

/** What pages may begin with: nothing at all, a small team at work, or more than anyone has. */
export type WorldName = "empty" | "team" | "large";

/** Sizes of the large world: what the pages must carry without effort. */
export const LARGE = { agents: 300, questions: 200, messages: 10_000, tasks: 2000, events: 3000 } as const;

export function makeWorld(name: WorldName, nowMs: number): World {
  const world = new World(agoFrom(nowMs)(240));
  if (name === "team") fillTeam(world, agoFrom(nowMs));
  if (name === "large") fillLarge(world, nowMs);
  return world;
}

const SCOPE = "factory";
const STATES = ["acknowledged", "delivered", "queued", "dead_lettered"] as const;
const STATUSES = ["open", "claimed", "done", "cancelled"] as const;
const URGENCIES = ["normal", "normal", "low", "high"] as const;

/** The nth of a list that goes round and round. */
function nth<T>(list: readonly [T, ...T[]], n: number): T {
  return list[n % list.length] ?? list[0];
}

function fillLarge(world: World, nowMs: number): void {
  const ago = agoFrom(nowMs);
  const agentId = (n: number) => `agent-${String(n % LARGE.agents).padStart(3, "0")}`;
  const agents = Array.from({ length: LARGE.agents }, (_, n) =>
    sampleAgent(ago, {
      id: agentId(n),
      scopeId: SCOPE,
      reachable: n % 5 !== 0,
      lifecycle: n % 5 === 0 ? "offline" : n % 3 === 0 ? "idle" : "working",
      lastSeenAt: ago(n % 90),
      metadata: { harness: nth(["claude-code", "codex", "opencode"], n), cwd: `/home/ada/work/project-${n % 40}` },
    }),
  );
  for (let n = 0; n < LARGE.questions; n += 1) {
    const question = sampleQuestion(ago, {
      id: `esc_${String(n).padStart(5, "0")}`,
      scopeId: SCOPE,
      agentId: agentId(n * 7),
      question: `Question ${n}: may I change the schema of table ${n}, or is another agent at work on it?`,
      options: n % 2 === 0 ? ["Change it", "Leave it", "Ask its owner"] : [],
      urgency: nth(URGENCIES, n),
      createdAt: ago(n * 3 + 1),
    });
    world.questions.set(question.id, question);
  }
  for (let n = 0; n < LARGE.messages; n += 1) {
    world.messages.push(
      sampleMessage(ago, {
        id: `msg_${String(n).padStart(6, "0")}`,
        scopeId: SCOPE,
        from: n % 25 === 0 ? "human" : agentId(n),
        to: agentId(n * 3 + 1),
        body: `Message ${n}. ${"The parser is done and its tests are green; the formatter is next. ".repeat(1 + (n % 4))}`,
        state: nth(STATES, n),
        createdAt: ago((LARGE.messages - n) / 10),
      }),
    );
  }
  for (let n = 0; n < LARGE.tasks; n += 1) {
    const id = `tsk_${String(n).padStart(5, "0")}`;
    const status = nth(STATUSES, n);
    const before = n % 10 > 0 ? [`tsk_${String(n - 1).padStart(5, "0")}`] : [];
    world.tasks.set(
      id,
      sampleTask(ago, {
        id,
        scopeId: SCOPE,
        title: `Task ${n}: move module ${n % 77} to the new store`,
        status,
        priority: nth(["normal", "high", "low", "urgent"], n),
        dependencies: before,
        ready: status === "open" && before.length === 0,
        ...(status === "claimed" ? { claimedBy: agentId(n) } : {}),
        createdAt: ago(n),
      }),
    );
  }
  for (let n = 0; n < LARGE.events; n += 1) {
    world.events.push({
      id: `evt_old_${n}`,
      scopeId: SCOPE,
      type: nth(["message.accepted", "task.claimed", "agent.lifecycle_changed"], n),
      subjectId: `subject_${n}`,
      revision: n + 1,
      attributes: { agentId: agentId(n) },
      createdAt: ago((LARGE.events - n) / 5),
    });
  }
  const questions = Object.fromEntries(world.questions);
  world.live = {
    ...world.live,
    agents: Object.fromEntries(agents.map((agent) => [agentKey(SCOPE, agent.id), agent])),
    questions,
  };
  world.live = { ...world.live, scopes: { [SCOPE]: world.overviewOf(SCOPE) } };
}
