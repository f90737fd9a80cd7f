import type { OperationName } from "../../../protocol/index.ts";
import { equal, holds, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import type { Party } from "./party.ts";
import type { Stage } from "./stage.ts";

const ITEMS = 5;
const PER_PAGE = 2;

interface Page {
  readonly nextCursor?: string | undefined;
}

/** Reads a list page by page. @returns the key of every item, in the order in which they came */
async function walk(
  party: Party,
  name: OperationName,
  cursorField: "after" | "before",
  keysOf: (page: unknown) => string[],
  filter: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  const keys: string[] = [];
  let cursor: string | undefined;
  // One page more than there can be ends a target that never stops.
  for (let count = 0; count <= ITEMS; count += 1) {
    const input = { ...filter, limit: PER_PAGE, ...(cursor === undefined ? {} : { [cursorField]: cursor }) };
    const page = (await party.call(name, input as never)) as Page;
    const got = keysOf(page);
    holds(`a page of ${name}`, got.length <= PER_PAGE, { expected: `at most ${PER_PAGE} items`, got: got.length });
    keys.push(...got);
    if (page.nextCursor === undefined) break;
    cursor = page.nextCursor;
  }
  return keys;
}

function idsIn(field: string): (page: unknown) => string[] {
  return (page) => ((page as Record<string, { id: string }[]>)[field] ?? []).map(({ id }) => id);
}

async function times<T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let n = 0; n < count; n += 1) made.push(await make(n));
  return made;
}

/** Long lists come in pages. */
export const pageChecks: readonly Check<Stage>[] = [
  {
    name: "pages-of-agents",
    proves: "Agents come in pages by id, each of them once.",
    async run(stage) {
      const owner = await stage.scope();
      const ids = (await times(ITEMS, (n) => owner.agent(`agent-${ITEMS - n}`))).map(({ id }) => id);
      equal("the agents", await walk(owner, "listAgentsPage", "after", idsIn("agents")), ids.sort());
    },
  },
  {
    name: "pages-of-links",
    proves: "Links come in pages, each of them once, and cannot be read by agents.",
    async run(stage) {
      const owner = await stage.scope();
      const hub = await owner.agent("hub");
      await times(ITEMS, (n) => owner.agent(`agent-${n}`, { connectTo: [hub.id] }));
      const keysOf = (page: unknown) =>
        (page as { links: { left: string; right: string }[] }).links.map(({ left, right }) =>
          [left, right].sort().join(),
        );
      const expected = Array.from({ length: ITEMS }, (_, n) => `agent-${n},hub`);
      equal("the links", (await walk(owner, "listLinks", "after", keysOf)).sort(), expected);
      await hub.refused("listLinks", {}, "PERMISSION_DENIED");
    },
  },
  {
    name: "pages-of-link-requests",
    proves: "Link requests come in pages and can be narrowed to those of one status.",
    async run(stage) {
      const owner = await stage.scope();
      const ada = await owner.agent("ada");
      const ids = await times(ITEMS, async (n) => {
        const { id: to } = await owner.agent(`agent-${n}`);
        return (await ada.call("requestLink", { to })).id;
      });
      await owner.call("resolveLinkRequest", { linkRequestId: ids[0] as string, accept: false });
      const read = (status?: string) =>
        walk(owner, "listLinkRequests", "after", idsIn("linkRequests"), status ? { status } : {});
      equal("all requests", (await read()).sort(), [...ids].sort());
      equal("the pending ones", (await read("pending")).sort(), ids.slice(1).sort());
      equal("the declined ones", await read("declined"), ids.slice(0, 1));
    },
  },
  {
    name: "pages-of-messages",
    proves: "Conversations come newest first in pages, for the owner and for the agent itself, narrowed as asked.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const ids = await times(ITEMS, (n) => (n % 2 === 0 ? ada.tell(ben) : ben.tell(ada)));
      const cleo = await owner.agent("cleo", { connectTo: [ada.id] });
      const aside = await cleo.tell(ada);
      const newest = [...ids].reverse();
      const messages = idsIn("messages");
      equal("all messages", (await walk(owner, "listMessages", "before", messages)).length, ITEMS + 1);
      const pair = { agent: ada.id, peer: ben.id };
      equal("those of ada and ben", await walk(owner, "listMessages", "before", messages, pair), newest);
      equal("those of cleo", await walk(owner, "listMessages", "before", messages, { agent: cleo.id }), [aside]);
      equal("ada's with ben", await walk(ada, "listMyMessages", "before", messages, { peer: ben.id }), newest);
      equal("cleo's own", await walk(cleo, "listMyMessages", "before", messages), [aside]);
      const delivered = (await ben.pull()).map(({ id }) => id).reverse();
      const state = { state: "delivered" };
      equal("the delivered ones", await walk(owner, "listMessages", "before", messages, state), delivered);
      await owner.refused("listMessages", { peer: ben.id }, "INVALID_ARGUMENT");
    },
  },
  {
    name: "pages-of-requests",
    proves: "Requests an agent has taken and not answered come in pages, oldest first.",
    async run(stage) {
      const { ada, ben } = await stage.team();
      const ids = await times(ITEMS, () => ada.tell(ben, { mode: "request" }));
      await ada.tell(ben);
      await ben.pull();
      equal("what ben owes", await walk(ben, "listMyRequests", "after", idsIn("messages")), ids);
      await ben.tell(ada, { mode: "response", responseTo: ids[1] as string });
      const left = ids.filter((_, index) => index !== 1);
      equal("what is left", await walk(ben, "listMyRequests", "after", idsIn("messages")), left);
    },
  },
  {
    name: "pages-of-tasks",
    proves: "Tasks come in pages by id, and can be narrowed by status and readiness.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const ids = await times(ITEMS, async (n) => (await owner.call("addTask", { title: `Task ${n}` })).id);
      await ada.call("claimTask", { taskId: ids[0] as string });
      await owner.call("editTaskDependencies", { taskId: ids[1] as string, add: [ids[2] as string] });
      const read = (filter = {}) => walk(owner, "listTasksPage", "after", idsIn("tasks"), filter);
      equal("all tasks", await read(), [...ids].sort());
      equal("the claimed ones", await read({ status: "claimed" }), ids.slice(0, 1));
      equal("the ready ones", await read({ ready: true }), ids.slice(2).sort());
      equal("what an agent reads", await walk(ada, "listTasksPage", "after", idsIn("tasks")), [...ids].sort());
      equal("those ada has claimed", await read({ claimedBy: ada.id }), ids.slice(0, 1));
      equal("those nobody has heard of has claimed", await read({ claimedBy: "nobody" }), []);
    },
  },
  {
    name: "pages-of-escalations",
    proves: "Questions come in pages by id and can be narrowed by status.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const ids = await times(ITEMS, async (n) => (await ada.call("askHuman", { question: `Question ${n}` })).id);
      await ada.call("cancelEscalation", { escalationId: ids[0] as string });
      const read = (filter = {}) => walk(owner, "listEscalationsPage", "after", idsIn("escalations"), filter);
      equal("all questions", await read(), [...ids].sort());
      equal("the pending ones", await read({ status: "pending" }), ids.slice(1).sort());
      equal("the cancelled ones", await read({ status: "cancelled" }), ids.slice(0, 1));
      const own = (filter = {}) => walk(ada, "listMyEscalations", "after", idsIn("escalations"), filter);
      equal("ada's own", await own(), [...ids].sort());
      equal("ada's own pending ones", await own({ status: "pending" }), ids.slice(1).sort());
      equal("ben's own", (await ben.call("listMyEscalations", {})).escalations, []);
    },
  },
  {
    name: "pages-of-settled-questions",
    proves: "Questions that are settled come newest first in pages, and can be narrowed by status, agent and text.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const ids = await times(ITEMS, async (n) => {
        const { id: escalationId } = await (n === 0 ? ben : ada).call("askHuman", { question: `Question ${n}` });
        await owner.call("resolveEscalation", { escalationId, answer: `Answer ${n}` });
        return escalationId;
      });
      await ada.call("askHuman", { question: "Question of now" });
      const read = (filter = {}) => walk(owner, "listEscalationHistory", "before", idsIn("escalations"), filter);
      equal("all that are settled", await read(), [...ids].reverse());
      equal("those of ben", await read({ agentId: ben.id }), ids.slice(0, 1));
      equal("those with a text", await read({ text: "ANSWER 2" }), ids.slice(2, 3));
      equal("the cancelled ones", await read({ status: "cancelled" }), []);
      await ada.refused("listEscalationHistory", {}, "PERMISSION_DENIED");
    },
  },
  {
    name: "pages-of-events",
    proves: "Events come newest first in pages, and can be narrowed by kind, subject and agent.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const ids = await times(ITEMS, async (n) => (await owner.call("addTask", { title: `Task ${n}` })).id);
      await ada.call("claimTask", { taskId: ids[0] as string });
      const all = (await owner.events()).reverse().map(({ id }) => id);
      const newest = (await owner.call("listEventsPage", { limit: 100 })).events.map(({ id }) => id);
      equal("all events", newest, all);
      const subjects = (page: unknown) => (page as { events: { subjectId: string }[] }).events.map((e) => e.subjectId);
      const created = [ids[0] as string, ...[...ids].reverse()];
      equal("those of tasks", await walk(owner, "listEventsPage", "before", subjects, { kind: "task" }), created);
      const ofFirst = { subjectId: ids[0] as string };
      equal("those of one task", (await walk(owner, "listEventsPage", "before", subjects, ofFirst)).length, 2);
      const ofAda = { kind: "task", agentId: ada.id };
      equal("ada's of tasks", await walk(owner, "listEventsPage", "before", subjects, ofAda), ids.slice(0, 1));
      await ada.refused("listEventsPage", {}, "PERMISSION_DENIED");
    },
  },
  {
    name: "pages-of-conversations",
    proves: "Who has written to whom comes in pages, the newest message first, with what waits to be read.",
    async run(stage) {
      const owner = await stage.scope();
      const hub = await owner.agent("hub");
      const others = await times(ITEMS, (n) => owner.agent(`agent-${n}`, { connectTo: [hub.id] }));
      for (const other of others) await hub.tell(other);
      await others[0]?.tell(hub);
      const partners = (page: unknown) =>
        (page as { conversations: { left: { id: string }; right: { id: string } }[] }).conversations.map(
          ({ left, right }) => (left.id === hub.id ? right.id : left.id),
        );
      const expected = [others[0], ...others.slice(1).reverse()].map((other) => other?.id);
      equal("the conversations", await walk(owner, "listConversations", "before", partners), expected);
      const { conversations } = await owner.call("listConversations", { limit: 1 });
      matches("the newest", conversations, [{ messages: 2, undelivered: 2, lastMessage: { to: hub.id } }]);
      await hub.refused("listConversations", {}, "PERMISSION_DENIED");
    },
  },
];
