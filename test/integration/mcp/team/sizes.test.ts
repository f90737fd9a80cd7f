import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../../protocol/index.ts";
import { useDaemon } from "../../../support/use-daemon.ts";
import { type ToolCall, toolWorld } from "./world.ts";

/** `toolWorld` refuses any result of 10,000 characters or more: here everything stored is as large as it may be. */

const intercom = useDaemon();

interface View {
  readonly id: string;
  readonly body: string;
  readonly context?: readonly object[];
  readonly truncated?: { readonly shownCharacters: number; readonly totalCharacters: number };
}

/** Text of `bytes` bytes that is as long as possible in JSON. */
const hostile = (bytes: number) => `x${"\u0001".repeat(Math.max(0, bytes - 1))}`;

/** Kinds of text by how much longer they get in JSON, and how many UTF-16 units a byte is. */
const bodies = fc
  .record({
    bytes: fc.oneof(
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 400, max: 12_000 }),
      fc.integer({ min: 60_000, max: LIMITS.messageBodyBytes }),
    ),
    piece: fc.constantFrom("a", '"', "\u0001", "é", "€", "😀", "line\n"),
  })
  .map(({ bytes, piece }) => `b${piece.repeat(Math.floor((bytes - 1) / Buffer.byteLength(piece)))}`);

const contexts = fc.array(
  fc.record({
    kind: fc.constantFrom("text" as const, "file" as const),
    title: fc.constantFrom("short", '"'.repeat(LIMITS.contextTitleBytes)),
    text: fc.constantFrom("", "\u0001".repeat(4000), "long ".repeat(3000)),
  }),
  { maxLength: 3 },
);

/** Reads the whole of a message, part by part. */
async function readWhole(call: ToolCall, messageId: string): Promise<{ body: string; context: object[] }> {
  let [body, contextJson, offset] = ["", "", 0];
  for (;;) {
    const part = await call("read_messages", { messageId, offset });
    const message = part.message as View;
    body += message.body;
    contextJson += (part.contextJson as string | undefined) ?? "";
    if (message.context) return { body, context: [...message.context] };
    if (part.nextOffset === undefined) return { body, context: contextJson === "" ? [] : JSON.parse(contextJson) };
    expect(part.nextOffset).toBeGreaterThan(offset);
    offset = part.nextOffset as number;
  }
}

describe("whatever is sent", () => {
  test("comes once, in results of the size any client takes, and can be read whole", { timeout: 120_000 }, async () => {
    const sent = fc.array(fc.tuple(bodies, contexts), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sent, fc.integer({ min: 1, max: 100 }), async (messages, limit) => {
        const { ada, bob, asAda } = await toolWorld(intercom(), "2026-07-28", "team");
        const expected = new Map<string, { body: string; context: object[] }>();
        for (const [body, context] of messages) expected.set(await bob.tell(ada, { body, context }), { body, context });
        const order: string[] = [];
        for (;;) {
          const inbox = (await asAda("check_inbox", { limit })) as { messages: View[]; more?: boolean };
          if (inbox.messages.length === 0) break;
          for (const { id, body, context = [], truncated } of inbox.messages) {
            const whole = expected.get(id) ?? { body: "", context: [] };
            expect(whole.body.startsWith(body)).toBe(true);
            if (!truncated) expect({ body, context }).toEqual(whole);
            else expect(truncated.totalCharacters).toBeGreaterThan(truncated.shownCharacters);
          }
          order.push(...inbox.messages.map(({ id }) => id));
          await asAda("acknowledge_messages", { messageIds: inbox.messages.map(({ id }) => id) });
        }
        expect(order).toEqual([...expected.keys()]);
        for (const [id, whole] of expected) expect(await readWhole(asAda, id)).toEqual(whole);
        const listed: string[] = [];
        for (let cursor = ""; ; ) {
          const page = (await asAda("read_messages", { with: "bob", cursor })) as {
            messages: View[];
            nextCursor?: string;
          };
          listed.push(...page.messages.map(({ id }) => id));
          if (page.nextCursor === undefined) break;
          cursor = page.nextCursor;
        }
        expect(listed).toEqual([...expected.keys()].reverse());
      }),
      { numRuns: 12 },
    );
  });

  test("is given back when it does not fit, and not lost when it comes again", async () => {
    const { ada, bob, asAda } = await toolWorld(intercom(), "2026-07-28", "team");
    const first = [await bob.tell(ada, { body: "a".repeat(5000) }), await bob.tell(ada, { body: "b".repeat(5000) })];
    const one = (await asAda("check_inbox")) as { messages: View[]; more: boolean };
    expect(one).toMatchObject({ messages: [{ id: first[0] }], more: true });
    // Not acknowledged: it comes again, but only after what is new.
    const two = (await asAda("check_inbox")) as { messages: View[] };
    expect(two.messages.map(({ id }) => id)).toEqual([first[1]]);
    expect(await asAda("whoami")).toMatchObject({ waiting: 0 });
    const again = (await asAda("check_inbox")) as { messages: { deliveryCount: number }[] };
    expect(again.messages).toMatchObject([{ deliveryCount: 2 }]);
  });
});

test("agents who say as much of themselves as they may come in pages, each of them once", async () => {
  const { scope, asAda } = await toolWorld(intercom(), "2026-07-28", "team");
  const metadata = { harness: hostile(64), model: hostile(128), cwd: hostile(1024) };
  const ids: string[] = ["bob"];
  for (let n = 0; n < 30; n += 1) {
    const id = `${"i".repeat(125)}${n}`;
    ids.push(id);
    await scope.agent(id, { displayName: hostile(256), summary: hostile(512), metadata, connectTo: ["ada"] });
  }
  const listed: string[] = [];
  let pages = 0;
  for (let cursor = ""; ; pages += 1) {
    const page = (await asAda("list_agents", { cursor })) as { agents: View[]; nextCursor?: string; total: number };
    expect(page.total).toBe(31);
    listed.push(...page.agents.map(({ id }) => id));
    if (page.nextCursor === undefined) break;
    cursor = page.nextCursor;
  }
  expect(listed.sort()).toEqual(ids.sort());
  expect(pages).toBeGreaterThan(2);
});

test("one who says as much of itself as it may, with as much open as can be, is still told who it is", async () => {
  const { scope, bob, asAda, ada } = await toolWorld(intercom(), "2026-07-28", "team");
  const metadata = { harness: hostile(64), model: hostile(128), cwd: hostile(1024) };
  await ada.call("updateProfile", { displayName: hostile(256), summary: hostile(512), metadata });
  for (let n = 0; n < 8; n += 1) {
    await bob.tell(ada, { mode: "request", body: hostile(4000) });
    await ada.call("askHuman", { question: hostile(4000) });
    const { id: taskId } = await scope.call("addTask", { title: hostile(256) });
    await ada.call("claimTask", { taskId });
  }
  await ada.drain();
  const me = await asAda("whoami");
  expect(me).toMatchObject({ unanswered: { count: 6 }, tasks: { count: 6 }, questions: { count: 6 } });
  expect((me.tasks as { first: object[] }).first).toHaveLength(5);
});

test("tasks come in pages, each of them once, those first that can still be worked on", async () => {
  const { scope, ada, asAda } = await toolWorld(intercom(), "2026-07-28", "team");
  const ids: string[] = [];
  for (let n = 0; n < 70; n += 1) {
    const dependencies = n < 20 ? [] : ids.slice(0, 20);
    ids.push((await scope.call("addTask", { title: hostile(256), dependencies, priority: "urgent" })).id);
  }
  for (const taskId of ids.slice(0, 3)) await ada.call("claimTask", { taskId });
  await ada.call("completeTask", { taskId: ids[0] as string });
  const read = async (filter: object) => {
    const listed: { id: string; status: string }[] = [];
    for (let cursor = ""; ; ) {
      const page = (await asAda("list_tasks", { ...filter, cursor })) as { tasks: typeof listed; nextCursor?: string };
      listed.push(...page.tasks);
      if (page.nextCursor === undefined) return listed;
      cursor = page.nextCursor;
    }
  };
  const all = await read({});
  expect(all.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(all.slice(0, 3).map(({ status }) => status)).toEqual(["claimed", "claimed", "open"]);
  expect(all.at(-1)).toMatchObject({ id: ids[0], status: "done" });
  expect((await read({ mine: true })).map(({ id }) => id).sort()).toEqual(ids.slice(0, 3).sort());
  expect((await read({ ready: true })).map(({ id }) => id)).toEqual(ids.slice(3, 20));
  expect(await read({ status: "cancelled" })).toEqual([]);
});

test("a task of which much is said is read page by page, nothing of it left out", async () => {
  const { ada, bob, asAda } = await toolWorld(intercom(), "2026-07-28", "team");
  const description = `${"€".repeat(3000)}${'"'.repeat(7000)}`;
  const { id: taskId } = await ada.call("addTask", { title: hostile(256), description });
  await bob.call("claimTask", { taskId });
  const entries: string[] = [];
  for (let n = 0; n < 25; n += 1) {
    entries.unshift(n % 3 === 0 ? hostile(3000) : `entry ${n} ${"é".repeat(n * 40)}`);
    await bob.call("addTaskProgress", { taskId, kind: "note", text: entries[0] as string });
  }
  const note = "done ".repeat(3000);
  await bob.call("completeTask", { taskId, note });
  const read = { description: "", note: "", progress: [] as string[] };
  for (let cursor = ""; ; ) {
    const page = (await asAda("get_task", { taskId, cursor })) as {
      description?: { text: string };
      note?: { text: string };
      progress?: { text: string; offset?: number }[];
      nextCursor?: string;
    };
    read.description += page.description?.text ?? "";
    read.note += page.note?.text ?? "";
    for (const { text, offset = 0 } of page.progress ?? []) {
      if (offset === 0) read.progress.push(text);
      else read.progress.push(`${read.progress.pop()}${text}`);
    }
    if (page.nextCursor === undefined) break;
    cursor = page.nextCursor;
  }
  expect(read).toEqual({ description, note, progress: entries });
});

test("questions and answers as long as they may be are cut with a mark, and the inbox has the whole answer", async () => {
  const { scope, asAda } = await toolWorld(intercom(), "2026-07-28", "team");
  const question = hostile(4000);
  const options = [hostile(256), `y${hostile(255)}`];
  const asked = await asAda("ask_human", { question, options, urgency: "high" });
  const answer = `${"€".repeat(4000)}${"\u0001".repeat(4000)}`;
  const note = hostile(4000);
  await scope.call("resolveEscalation", { escalationId: asked.questionId as string, answer, note });
  const checked = await asAda("check_question", { questionId: asked.questionId });
  const { shownCharacters } = checked.truncated as { shownCharacters: number };
  expect(checked).toMatchObject({ status: "resolved", answer: answer.slice(0, shownCharacters) });
  const { messages } = (await asAda("check_inbox")) as { messages: View[] };
  expect((await readWhole(asAda, messages[0]?.id as string)).body).toBe(answer);
});

test("an error that could repeat a long argument does not", async () => {
  const { attempt, scope } = await toolWorld(intercom(), "2026-07-28", "team");
  for (let n = 0; n < 100; n += 1)
    await scope.agent(`${"t".repeat(100)}-${n}`, { displayName: "Twin", connectTo: ["ada"] });
  for (const [name, args] of [
    ["whoami", { ["x".repeat(200_000)]: 1 }],
    ["send_message", { to: "twin", text: "x" }],
    ["send_message", { to: "bob", text: "x", context: Array.from({ length: 9 }, () => ({ ["y".repeat(20_000)]: 1 })) }],
    ["check_inbox", { limit: "9".repeat(200_000) }],
  ] as const) {
    expect(await attempt(name, args), name).toMatchObject({ isError: true });
  }
});
