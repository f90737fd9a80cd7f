import { expect } from "vitest";
import { SERVER_NAME } from "../../../connect/index.ts";
import { jsonIn } from "../../../harness/model/placeholders.ts";
import { isOurTool, resultsOf, type ShownResult } from "../../../harness/model/request.ts";
import type { Run } from "../../../harness/run.ts";
import { until } from "../../support/waiting.ts";

/** Waits for the program's end and checks that all went as scripted, and that it asked nobody else for anything. */
export async function finished(run: Run): Promise<void> {
  const { code, timedOut, stdout, stderr } = await run.ended;
  const { problems, strangers } = run.model;
  const said = problems.length > 0 || code !== 0 ? `${stdout}\n${stderr}`.slice(-4000) : "";
  expect({ code, timedOut, problems, strangers, said }).toEqual({
    code: 0,
    timedOut: false,
    problems: [],
    strangers: [],
    said: "",
  });
}

const PATIENCE_MS = 120_000;

/** Waits for what programs are to bring about. When one of them ends instead, tells how that went. */
export async function broughtAbout<T>(
  what: string,
  runs: readonly Run[],
  look: () => Promise<T | undefined>,
): Promise<T> {
  const over: Run[] = [];
  for (const run of runs) void run.ended.then(() => over.push(run));
  return until(
    what,
    async () => {
      const isOver = over.length > 0;
      const found = await look();
      if (found !== undefined || !isOver) return found;
      for (const run of over) await finished(run);
      throw new Error(`A program has ended without this: ${what}`);
    },
    PATIENCE_MS,
  );
}

/** Everything that tools of ours have answered, as it was shown to the model. */
export function shownBy({ model }: Run, tool?: string): ShownResult[] {
  const last = model.exchanges.at(-1)?.request;
  const all = last ? resultsOf(last) : [];
  return all.filter((result) =>
    tool === undefined ? /intercom/.test(`${result.namespace}${result.name}`) : isOurTool(result, SERVER_NAME, tool),
  );
}

/** The same, read: what a model can know from it. */
export function readBy(run: Run, tool: string): Record<string, unknown>[] {
  return shownBy(run, tool).map(({ text }) => jsonIn(text) as Record<string, unknown>);
}
