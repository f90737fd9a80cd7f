import { LIMITS } from "../../../protocol/index.ts";
import { holds } from "../../core/assert.ts";
import { CheckFailure } from "../../core/failure.ts";
import type { Check } from "../../core/profile.ts";
import { isRecord } from "../../http/envelope.ts";
import type { AgentParty, Stage } from "./stage.ts";

const ATTEMPTS = 100;
/** Together more than the 256 calls that may be at work at a time, and in no scope more than may wait there. */
const SCOPES = 3;
const AGENTS_PER_SCOPE = 3;

/** Opens so many waiting reads of an inbox, and gives back how to end them. */
function openWaits(agent: AgentParty, count: number): () => Promise<void> {
  const hangUp = new AbortController();
  const waits = Array.from({ length: count }, () =>
    agent.send("reserveInbox", { waitMs: LIMITS.waitMaxMs }, { signal: hangUp.signal }).catch(() => {}),
  );
  return async () => {
    hangUp.abort();
    await Promise.all(waits);
  };
}

/** Whether a further wait finds no place, once those opened before have arrived. */
async function becomesFull(agent: AgentParty): Promise<boolean> {
  for (let n = 0; n < ATTEMPTS; n += 1) if (await isRefused(agent)) return true;
  return false;
}

async function isRefused(agent: AgentParty): Promise<boolean> {
  const { status, body } = await agent.send("reserveInbox", { waitMs: 20 });
  return status === 429 && isRecord(body) && isRecord(body.error) && body.error.code === "BACKPRESSURE";
}

/** Budgets of calls that stay open. */
export const waitingChecks: readonly Check<Stage>[] = [
  {
    name: "budget-of-waiting-calls",
    proves:
      "An agent may keep 32 reads waiting and no more; others go on as if nothing were, and so does it afterwards.",
    async run(stage) {
      const { ada, ben } = await stage.team();
      const end = openWaits(ada, LIMITS.inboxWaitersPerAgent);
      try {
        const full = await becomesFull(ada);
        holds(`read number ${LIMITS.inboxWaitersPerAgent + 1}`, full, { expected: "BACKPRESSURE", got: "an answer" });
        await ada.call("heartbeat", { lifecycle: "ready", ready: true });
        await ben.call("reserveInbox", { waitMs: 20 });
        await stage.admin.call("overview", {});
      } finally {
        await end();
      }
      for (let n = 0; n < ATTEMPTS; n += 1) if (!(await isRefused(ada))) return;
      throw new CheckFailure("Waits that were hung up on still count", { expected: "an answer", got: "BACKPRESSURE" });
    },
  },
  {
    name: "waiting-calls-take-no-place",
    proves: "More calls may wait than may be at work, and none of them keeps an ordinary call from its answer.",
    async run(stage) {
      const agents: AgentParty[] = [];
      for (let scopes = 0; scopes < SCOPES; scopes += 1) {
        const owner = await stage.scope();
        for (let n = 0; n < AGENTS_PER_SCOPE; n += 1) agents.push(await owner.agent(`agent-${n}`));
      }
      const ends = agents.map((agent) => openWaits(agent, LIMITS.inboxWaitersPerAgent));
      try {
        for (const agent of agents) {
          holds("an agent's waits", await becomesFull(agent), { expected: "all of them open", got: "some refused" });
        }
        for (const agent of agents) await agent.call("addTask", { title: "Meanwhile" });
      } finally {
        await Promise.all(ends.map((end) => end()));
      }
    },
  },
  {
    name: "hang-up-loses-nothing",
    proves: "A message for a wait that was hung up on is there for the next one.",
    async run(stage) {
      const { ada, ben } = await stage.team();
      const end = openWaits(ben, 1);
      await end();
      const id = await ada.tell(ben);
      for (let n = 0; n < ATTEMPTS; n += 1) {
        const got = await ben.pull({ waitMs: 20 });
        if (got.some((message) => message.id === id)) return;
      }
      throw new CheckFailure("The message did not come", { expected: id, got: null });
    },
  },
];
