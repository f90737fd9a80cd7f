import { beforeAll, describe, expect, test } from "vitest";
import { useDaemon } from "../../../support/use-daemon.ts";
import { type ToolWorld, toolWorld } from "./world.ts";

const intercom = useDaemon();
let world: ToolWorld;
beforeAll(async () => {
  world = await toolWorld(intercom(), "2026-07-28", "team");
  await world.scope.agent("rev-1", { displayName: "The Reviewer ", connectTo: ["ada"] });
  for (const id of ["twin-1", "twin-2"]) await world.scope.agent(id, { displayName: "Twin", connectTo: ["ada"] });
  await world.scope.agent("stranger");
});

async function refusal(name: string, args: Record<string, unknown>) {
  const answer = await world.attempt(name, args);
  expect(answer.isError, answer.text).toBe(true);
  const { code, message } = answer.structured.error as { code: string; message: string };
  return { code, message, text: answer.text };
}

describe("agents", () => {
  test.each(["rev-1", "The Reviewer", "the reviewer", " THE REVIEWER ", " rev-1\n"])("are found as %j", async (to) => {
    expect(await world.asAda("send_message", { to, text: "hello" })).toMatchObject({ to: "rev-1" });
    const { messages } = await world.asAda("read_messages", { with: to });
    expect(messages).toMatchObject([{ to: "rev-1" }, ...new Array((messages as []).length - 1).fill({ to: "rev-1" })]);
  });

  test.each(["human", "Human", " HUMAN "])("and the human as %j", async (to) => {
    expect(await world.asAda("send_message", { to, text: "hello" })).toMatchObject({ to: "human" });
  });

  test("that share a name are told apart by their ids", async () => {
    expect(await refusal("send_message", { to: "twin", text: "x" })).toMatchObject({
      code: "CONFLICT",
      message: 'to: several peers are called "twin": twin-1, twin-2',
    });
  });

  test("that are not there, or nobody's peer, sound the same and name the way out", async () => {
    for (const to of ["nobody", "stranger"]) {
      const { code, text } = await refusal("send_message", { to, text: "x" });
      expect({ code, text: text.replace(to, "X") }).toEqual({
        code: "NOT_FOUND",
        text: 'NOT_FOUND: to: no peer has the id or display name "X". Call list_agents to see whom you can message; replyTo takes the id of a request from check_inbox.',
      });
    }
    expect(await refusal("request_link", { agent: "The Stranger" })).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await refusal("request_link", { agent: "nobody" })).toMatchObject({
      code: "NOT_FOUND",
      text: expect.stringContaining("ask_human"),
    });
  });

  test("somebody must be meant", async () => {
    expect(await refusal("send_message", { text: "x" })).toMatchObject({
      message: expect.stringContaining("to: is required"),
    });
  });
});

describe("a reply", () => {
  test("goes to whoever asked, whatever name that is given", async () => {
    for (const to of [undefined, "bob", "BOB", " Bob"]) {
      const request = await world.bob.tell(world.ada, { mode: "request" });
      await world.ada.drain();
      const sent = await world.asAda("send_message", { replyTo: request, text: "yes", ...(to ? { to } : {}) });
      expect(sent).toMatchObject({ to: "bob", mode: "response" });
    }
  });

  test("is not sent to somebody else by mistake", async () => {
    const request = await world.bob.tell(world.ada, { mode: "request" });
    await world.ada.drain();
    for (const to of ["rev-1", "human"]) {
      const { message } = await refusal("send_message", { replyTo: request, to, text: "yes" });
      expect(message).toBe("to: the request came from bob; leave to out with replyTo");
    }
    expect(await refusal("send_message", { replyTo: request, text: "yes", expectsReply: true })).toMatchObject({
      message: expect.stringMatching(/^expectsReply: /),
    });
  });

  test("to what is no request says what to do instead", async () => {
    const note = await world.bob.tell(world.ada);
    await world.ada.drain();
    const { code, text } = await refusal("send_message", { replyTo: note, text: "thanks" });
    expect({ code, text }).toMatchObject({ code: "NOT_FOUND", text: expect.stringContaining("check_inbox") });
  });

  test("the human is not asked with a message", async () => {
    const { message } = await refusal("send_message", { to: "human", text: "May I?", expectsReply: true });
    expect(message).toContain("ask_human");
  });
});

describe("tasks", () => {
  test("are found by a title that one unfinished task has", async () => {
    const { task } = (await world.asAda("add_task", { title: "Fix the Build" })) as { task: { id: string } };
    for (const taskId of [task.id, "Fix the Build", " fix the build "]) {
      expect(await world.asAda("get_task", { taskId })).toMatchObject({ task: { id: task.id } });
    }
    await world.asAda("claim_task", { taskId: "FIX THE BUILD" });
    await world.asAda("report_progress", { taskId: "fix the build", text: "x" });
    await world.asAda("finish_task", { taskId: "fix the build" });
    expect(await refusal("get_task", { taskId: "fix the build" })).toMatchObject({
      code: "NOT_FOUND",
      text: expect.stringContaining("list_tasks"),
    });
  });

  test("that share a title are told apart by their ids", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 2; n += 1) ids.push((await world.ada.call("addTask", { title: "Twice" })).id);
    expect(await refusal("claim_task", { taskId: "twice" })).toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining(ids.join(", ")),
    });
    expect(await refusal("add_task", { title: "t", dependencies: ["twice"] })).toMatchObject({
      message: expect.stringMatching(/^dependencies\.0: several/),
    });
  });

  test("a cursor that is none is refused by its name", async () => {
    const { task } = (await world.asAda("add_task", { title: "t" })) as { task: { id: string } };
    for (const [name, args] of [
      ["list_tasks", { cursor: "task_1" }],
      ["list_tasks", { cursor: "closed:task_1" }],
      ["list_tasks", { cursor: "done:task_1", status: "open" }],
      ["read_messages", { cursor: "msg_1" }],
      ["get_task", { taskId: task.id, cursor: "x" }],
    ] as const) {
      expect(await refusal(name, args)).toMatchObject({
        code: "INVALID_ARGUMENT",
        message: "cursor: expected nextCursor of an earlier page",
      });
    }
  });
});
