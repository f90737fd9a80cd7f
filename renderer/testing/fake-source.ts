import type { UiOperation } from "../../protocol/desktop/operations.ts";
import type { Event } from "../../protocol/objects/event.ts";
import type { Schedule } from "../data/refresher.ts";
import type { Source } from "../data/source.ts";
import type { Happened } from "../state/frames.ts";

type Answers = Partial<Record<UiOperation, (input: Record<string, unknown>) => unknown>>;

/** A source whose answers, news and time a test makes. */
export function fakeSource(answers: Answers) {
  const listeners = new Set<(news: Happened) => void>();
  const planned: (() => void)[] = [];
  const calls: { operation: UiOperation; input: Record<string, unknown>; scopeId: string | undefined }[] = [];
  const source: Source = {
    host: {
      call: async (operation, input, scopeId) => {
        calls.push({ operation, input: input as Record<string, unknown>, scopeId });
        const answer = answers[operation];
        if (!answer) throw new Error(`the test expects no ${operation}`);
        return answer(input as Record<string, unknown>) as never;
      },
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const schedule: Schedule = (run) => {
    planned.push(run);
    return () => {
      planned.splice(planned.indexOf(run), 1);
    };
  };
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  };
  return {
    source,
    schedule,
    calls,
    /** Names of the operations called since it was asked last. */
    called: () => calls.splice(0).map(({ operation }) => operation),
    tell(news: Partial<Happened>) {
      for (const listener of listeners) listener({ events: [], all: false, ...news });
    },
    settle,
    /** Lets everything that was planned happen. */
    async pass() {
      for (const run of planned.splice(0)) run();
      await settle();
    },
  };
}

let revision = 0;

/** An event of the scope `scope`. */
export function eventOf(type: string, subjectId: string, attributes: Record<string, string> = {}): Event {
  revision += 1;
  return {
    id: `evt_${revision}`,
    scopeId: "scope",
    type,
    subjectId,
    revision,
    attributes,
    createdAt: "2026-01-31T12:00:00.000Z",
  };
}
