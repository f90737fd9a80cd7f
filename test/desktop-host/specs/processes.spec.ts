import { expect, seen, test } from "./fixture.ts";

test("a utility process has arguments, environment and piped output, and its exit code is told", async ({
  desktop,
}) => {
  await expect.poll(() => seen(desktop)).toContain("worker: worker started as --fixture with blue");
  await desktop.app.evaluate(() => void globalThis.fixture.ask("exit"));
  await expect.poll(() => seen(desktop)).toContain("worker exit 3");
  await expect.poll(() => seen(desktop)).toContain("gone Fixture worker abnormal-exit");
});

test("kill -9 of a utility process is seen as its exit, and then as a child that is gone", async ({ desktop }) => {
  const pid = await desktop.app.evaluate(() => globalThis.fixture.worker?.pid);
  process.kill(pid as number, "SIGKILL");
  await expect.poll(() => seen(desktop)).toContain("gone Fixture worker killed");
  const log = await seen(desktop);
  expect(log.indexOf("worker exit 9")).toBeLessThan(log.indexOf("gone Fixture worker killed"));
  expect(log).toContain("worker exit 9");
});

test("messages to a utility process that is gone are lost without a word, as in Electron", async ({ desktop }) => {
  await desktop.app.evaluate(() => globalThis.fixture.worker?.kill());
  await expect.poll(() => seen(desktop)).toContain("worker exit 15");
  const facts = await desktop.app.evaluate(() => {
    const { worker } = globalThis.fixture;
    worker?.postMessage({ id: 1, text: "too late" });
    return [worker?.pid, worker?.kill(), desktopHost.recordings.of("utilityProcess", "lost message").length];
  });
  expect(facts).toEqual([undefined, false, 1]);
});

test("what is said before anybody listens waits for the first listener", async ({ desktop }) => {
  const answers = await desktop.app.evaluate(({ app, utilityProcess }) => {
    const child = utilityProcess.fork(`${app.getAppPath()}/late-worker.ts`);
    return new Promise((resolve) => {
      const heard: unknown[] = [];
      child.on("message", (message) => {
        if (heard.push(message) === 2) resolve(heard);
      });
      child.postMessage("first");
      child.postMessage({ second: true });
    });
  });
  expect(answers).toEqual(["first", { second: true }]);
});

test("a utility process ends with the app, even when the app is killed", async ({ desktop }) => {
  const pids = await desktop.app.evaluate(async () => [
    globalThis.fixture.worker?.pid,
    await desktopHost.chromiumPid(),
  ]);
  const main = desktop.app.process();
  const isAlive = (pid: number | undefined) => {
    try {
      return process.kill(pid as number, 0);
    } catch {
      return false;
    }
  };
  expect(pids.map(isAlive)).toEqual([true, true]);
  main.kill("SIGKILL");
  await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
});
