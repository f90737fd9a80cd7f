import { expect, test } from "vitest";
import { MOST_BY_ID, Refresher } from "./refresher.ts";

/** Time that passes when told to. */
function harness(fail?: Error) {
  const planned: (() => void)[] = [];
  const read: string[] = [];
  const failures: unknown[] = [];
  let release: (() => void) | undefined;
  const refresher = new Refresher({
    one: async (id) => {
      read.push(id);
      if (fail) throw fail;
    },
    all: () => {
      read.push("all");
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    },
    failed: (error) => failures.push(error),
    schedule: (run) => {
      planned.push(run);
      return () => planned.splice(planned.indexOf(run), 1);
    },
  });
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return {
    refresher,
    read,
    failures,
    planned,
    pass: async () => {
      planned.shift()?.();
      await settle();
    },
    finish: async () => {
      release?.();
      await settle();
    },
  };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

test("touches gather, and each thing is read once", async () => {
  const { refresher, read, pass, planned } = harness();
  refresher.touch(["a", "b"]);
  refresher.touch(["a"]);
  expect(planned).toHaveLength(1);
  await pass();
  expect(read).toEqual(["a", "b"]);
});

test("few are read by id, one more is read as a list", async () => {
  const few = harness();
  few.refresher.touch(ids(MOST_BY_ID));
  await few.pass();
  expect(few.read).toHaveLength(MOST_BY_ID);

  const many = harness();
  many.refresher.touch(ids(MOST_BY_ID + 1));
  await many.pass();
  expect(many.read).toEqual(["all"]);
});

test("while a round is under way the next one waits, and then takes all that came", async () => {
  const { refresher, read, pass, finish, planned } = harness();
  refresher.touchEverything();
  await pass();
  refresher.touch(["a"]);
  refresher.touch(["b"]);
  expect(planned).toHaveLength(0);
  await finish();
  expect(planned).toHaveLength(1);
  await pass();
  expect(read).toEqual(["all", "a", "b"]);
});

test("a failure is told and does not stop later rounds", async () => {
  const { refresher, read, failures, pass } = harness(new Error("gone"));
  refresher.touch(["a"]);
  await pass();
  expect(failures).toHaveLength(1);
  refresher.touch(["b"]);
  await pass();
  expect(read).toEqual(["a", "b"]);
});

test("what is cleared is not read", async () => {
  const { refresher, read, planned } = harness();
  refresher.touch(["a"]);
  refresher.clear();
  expect(planned).toHaveLength(0);
  expect(read).toEqual([]);
});
