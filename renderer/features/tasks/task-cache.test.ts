import { expect, test } from "vitest";
import { IntercomError } from "../../../protocol/errors.ts";
import type { Task } from "../../../protocol/objects/task.ts";
import { CacheSet } from "../../data/cache.ts";
import { eventOf, fakeSource } from "../../testing/fake-source.ts";
import { TaskCache } from "./task-cache.ts";
import { taskOf } from "./task-examples.ts";

/** A daemon with these tasks, in pages of two, and a cache a view shows. */
async function shown(ids: readonly string[]) {
  const stored = new Map<string, Task>(ids.map((id) => [id, taskOf(id)]));
  const fake = fakeSource({
    listTasksPage: ({ after }) => {
      const all = [...stored.values()];
      const from = after === undefined ? 0 : Number(after);
      const nextCursor = from + 2 < all.length ? { nextCursor: String(from + 2) } : {};
      return { tasks: all.slice(from, from + 2), ...nextCursor };
    },
    getTask: ({ taskId }) => {
      const task = stored.get(String(taskId));
      if (!task) throw new IntercomError("NOT_FOUND", "gone");
      return task;
    },
  });
  const set = new CacheSet(fake.source, 2, (scopeId: string) => new TaskCache(fake.source, scopeId, fake.schedule));
  const cache = set.get("scope");
  const release = cache.retain();
  await fake.settle();
  return { ...fake, set, cache, release, stored, tasks: () => cache.store.getState().tasks };
}

test("all pages are read, in the scope", async () => {
  const { cache, calls, tasks } = await shown(["a", "b", "c"]);
  expect(Object.keys(tasks())).toEqual(["a", "b", "c"]);
  expect(cache.store.getState().status).toBe("ready");
  expect(calls.map(({ scopeId }) => scopeId)).toEqual(["scope", "scope"]);
});

test("a touched task is read by itself, once for many events", async () => {
  const { tell, pass, called, stored, tasks } = await shown(["a", "b"]);
  called();
  stored.set("a", taskOf("a", { title: "changed" }));
  tell({ events: [eventOf("task.updated", "a"), eventOf("task.claimed", "a")] });
  tell({ events: [eventOf("task.progress_added", "a")] });
  await pass();
  expect(called()).toEqual(["getTask"]);
  expect(tasks().a?.title).toBe("changed");
});

test("many touched tasks are read as the list", async () => {
  const { tell, pass, called } = await shown(["a", "b"]);
  called();
  tell({ events: Array.from({ length: 50 }, (_, index) => eventOf("task.created", `t${index}`)) });
  await pass();
  expect(called()).toEqual(["listTasksPage"]);
});

test("what happens elsewhere, or is about other things, is not read", async () => {
  const { tell, pass, called } = await shown(["a"]);
  called();
  tell({ events: [{ ...eventOf("task.updated", "a"), scopeId: "other" }, eventOf("message.accepted", "a")] });
  await pass();
  expect(called()).toEqual([]);
});

test("a task that is gone is dropped", async () => {
  const { tell, pass, stored, tasks } = await shown(["a", "b"]);
  stored.delete("a");
  tell({ events: [eventOf("task.updated", "a")] });
  await pass();
  expect(Object.keys(tasks())).toEqual(["b"]);
});

test("while no view shows it nothing is read; the next view makes up for it, once", async () => {
  const { tell, pass, called, release, cache, settle } = await shown(["a"]);
  release();
  called();
  tell({ events: [eventOf("task.updated", "a")] });
  await pass();
  expect(called()).toEqual([]);
  cache.retain();
  cache.retain();
  await settle();
  expect(called()).toEqual(["listTasksPage"]);
});

test("a view that comes back after nothing happened reads nothing", async () => {
  const { called, release, cache, settle } = await shown(["a"]);
  release();
  called();
  cache.retain();
  await settle();
  expect(called()).toEqual([]);
});

test("when events were missed, everything is read again", async () => {
  const { tell, pass, called } = await shown(["a"]);
  called();
  tell({ all: true });
  await pass();
  expect(called()).toEqual(["listTasksPage"]);
});

test("a failure is said, keeps what is shown, and ends when the connection is back", async () => {
  let down = false;
  const fake = fakeSource({
    listTasksPage: () => {
      if (down) throw new IntercomError("INTERNAL", "lost");
      return { tasks: [taskOf("a")] };
    },
  });
  const set = new CacheSet(fake.source, 2, (scopeId: string) => new TaskCache(fake.source, scopeId, fake.schedule));
  const cache = set.get("scope");
  cache.retain();
  await fake.settle();
  down = true;
  fake.tell({ all: true });
  await fake.pass();
  expect(cache.store.getState()).toMatchObject({ status: "failed", error: { message: "lost" } });
  expect(Object.keys(cache.store.getState().tasks)).toEqual(["a"]);
  down = false;
  fake.tell({ all: true });
  await fake.settle();
  expect(cache.store.getState()).toMatchObject({ status: "ready", error: undefined });
});

test("of the caches no view shows only the latest are kept", async () => {
  const { set, cache, release } = await shown(["a"]);
  set.get("second");
  set.get("third");
  expect(set.get("scope")).toBe(cache);
  release();
  set.get("second");
  set.get("third");
  expect(set.get("scope")).not.toBe(cache);
});
