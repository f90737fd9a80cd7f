import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { filledSubject } from "./archives.ts";
import { longest, withBystanders } from "./lib/bystanders.ts";
import type { HttpConnection } from "./lib/http-connection.ts";
import type { Row } from "./lib/report.ts";
import { freshDirectory, openConnections } from "./lib/subject.ts";

interface Pruned {
  readonly records: Readonly<Record<string, number>>;
}

/** Counting and removing a long history while others go on. */
export async function retention(messages: number): Promise<Row[]> {
  const directory = freshDirectory();
  const { subject, pair } = await filledSubject(join(directory.path, "d"), messages, 512);
  const [connection] = (await openConnections(subject.address, 1)) as [HttpConnection];
  const standBy = <T>(work: () => Promise<T>) => withBystanders(subject, pair.sender, pair.scopeToken, work);
  const before = new Date().toISOString();
  const prune = (execute: boolean) =>
    connection.call<Pruned>("POST", "/v1/scope/storage/prune", pair.scopeToken, { before, execute });
  const summary = await standBy(() => connection.call("GET", "/v1/scope/storage", pair.scopeToken));
  const counted = await standBy(() => prune(false));
  const removed = await standBy(() => prune(true));
  connection.close();
  const memory = await subject.ask<{ peakRssMb: number }>("memory");
  await subject.stop();
  directory.remove();
  if (removed.result.records.messages !== messages) throw new Error(`removed ${JSON.stringify(removed.result)}`);
  if (!isDeepStrictEqual(removed.result.records, counted.result.records)) {
    throw new Error(`counted ${JSON.stringify(counted.result)}, removed ${JSON.stringify(removed.result)}`);
  }
  const note = `${messages} messages`;
  const waits = (what: string, { seen }: Awaited<ReturnType<typeof standBy<unknown>>>): Row => ({
    what: `${what}, longest wait of others`,
    value: longest(seen),
    unit: "ms",
    target: { atMost: 100 },
  });
  return [
    { what: "storage summary", value: summary.seconds, unit: "s", note },
    waits("storage summary", summary),
    { what: "retention, counted", value: counted.seconds, unit: "s", note },
    waits("retention, counted", counted),
    { what: "retention, executed", value: removed.seconds, unit: "s", note },
    waits("retention, executed", removed),
    { what: "retention, peak memory of the daemon", value: memory.peakRssMb, unit: "MB" },
  ];
}
