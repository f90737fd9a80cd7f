import { expect } from "vitest";
import { SERVER_NAME } from "../../../connect/index.ts";
import { jsonIn } from "../../../harness/model/placeholders.ts";
import { isOurTool, resultsOf, type ShownResult } from "../../../harness/model/request.ts";
import type { Run } from "../../../harness/run.ts";

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
