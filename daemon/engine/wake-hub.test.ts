import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WakeHub } from "./wake-hub.ts";

const LONG_MS = 60_000;

describe("wake hub", () => {
  it("ends a wait when its channel is announced, and only then", async () => {
    const hub = new WakeHub();
    const [a, b] = [hub.listen("a"), hub.listen("b")];
    const waits = [a.wait(LONG_MS), b.wait(20)];
    hub.notify(["a", "nobody"]);
    expect(await Promise.all(waits)).toEqual(["woken", "timeout"]);
  });

  it("tells those who watch at once, each time", () => {
    const hub = new WakeHub();
    let told = 0;
    hub.watch("a", () => {
      told += 1;
    });
    hub.notify(["a", "b"]);
    hub.notify(["a"]);
    expect(told).toBe(2);
    expect(hub.listening).toBe(0);
  });

  it("ends every wait on the channel", async () => {
    const hub = new WakeHub();
    const waits = Array.from({ length: 100 }, () => hub.listen("a").wait(LONG_MS));
    hub.notify(["a"]);
    expect(new Set(await Promise.all(waits))).toEqual(new Set(["woken"]));
  });

  it("remembers what was announced between listening and waiting, once", async () => {
    const hub = new WakeHub();
    const listener = hub.listen("a");
    hub.notify(["a"]);
    hub.notify(["a"]);
    expect(await listener.wait(LONG_MS)).toBe("woken");
    expect(await listener.wait(0)).toBe("timeout");
  });

  it("ends a wait when its caller goes, before or while it waits", async () => {
    const hub = new WakeHub();
    const gone = new AbortController();
    const waits = [hub.listen("a").wait(LONG_MS, gone.signal), hub.listen("a").wait(LONG_MS)];
    gone.abort();
    expect(await waits[0]).toBe("aborted");
    expect(await hub.listen("a").wait(LONG_MS, gone.signal)).toBe("aborted");
    hub.notify(["a"]);
    expect(await waits[1]).toBe("woken");
  });

  it("ends every wait when it stops, now and from then on", async () => {
    const hub = new WakeHub();
    const early = hub.listen("a");
    const wait = early.wait(LONG_MS);
    hub.stop();
    expect(await wait).toBe("stopping");
    expect(await early.wait(LONG_MS)).toBe("stopping");
    expect(await hub.listen("b").wait(LONG_MS)).toBe("stopping");
  });

  it("forgets listeners that are closed", async () => {
    const hub = new WakeHub();
    const listeners = ["a", "a", "b"].map((channel) => hub.listen(channel));
    expect(hub.listening).toBe(3);
    for (const listener of listeners) listener.close();
    listeners[0]?.close();
    expect(hub.listening).toBe(0);
    hub.notify(["a", "b"]);
  });

  it("leaves no abort handler behind, however often a listener waits", async () => {
    const hub = new WakeHub();
    const listener = hub.listen("a");
    const { signal } = new AbortController();
    let handlers = 0;
    const counted = {
      aborted: false,
      addEventListener: (...args: Parameters<AbortSignal["addEventListener"]>) => {
        handlers += 1;
        signal.addEventListener(...args);
      },
      removeEventListener: (...args: Parameters<AbortSignal["removeEventListener"]>) => {
        handlers -= 1;
        signal.removeEventListener(...args);
      },
    } as unknown as AbortSignal;
    for (let count = 0; count < 20; count += 1) {
      const wait = listener.wait(LONG_MS, counted);
      hub.notify(["a"]);
      await wait;
    }
    expect(handlers).toBe(0);
  });

  it("loses no wake, whatever the order of looking, announcing and waiting", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (scheduler, items, consumersPerChannel) => {
          const hub = new WakeHub();
          const shelves = new Map<string, number>();
          const step = (label: string) => scheduler.schedule(Promise.resolve(), label);
          let left = items.length;

          // As the engine does: listen, look, wait, look again.
          const consume = async (channel: string) => {
            const listener = hub.listen(channel);
            try {
              for (;;) {
                await step(`${channel} looks`);
                const count = shelves.get(channel) ?? 0;
                if (count > 0) {
                  shelves.set(channel, count - 1);
                  left -= 1;
                  if (left === 0) hub.stop();
                  continue;
                }
                await step(`${channel} waits`);
                if ((await listener.wait(LONG_MS)) === "stopping") return;
              }
            } finally {
              listener.close();
            }
          };
          const produce = async (channel: string) => {
            await step(`${channel} stores`);
            shelves.set(channel, (shelves.get(channel) ?? 0) + 1);
            await step(`${channel} announces`);
            hub.notify([channel]);
          };

          const consumers = ["a", "b"].flatMap((channel) =>
            Array.from({ length: consumersPerChannel }, () => consume(channel)),
          );
          const everything = Promise.all([...items.map(produce), ...consumers]);
          await scheduler.waitFor(everything);
          expect(left).toBe(0);
          expect(hub.listening).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });
});
