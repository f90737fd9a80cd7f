import type { HttpConnection } from "./http-connection.ts";
import { percentile } from "./statistics.ts";
import { type Agent, openConnections, type Subject } from "./subject.ts";

/** What those who have nothing to do with some long work see of it. */
export interface Bystanding {
  /** Times of heartbeats, ms. */
  readonly heartbeats: number[];
  /** Times of lists, ms. */
  readonly reads: number[];
}

/** An agent that keeps saying it is there, and an owner that keeps looking, while `work` goes on. */
export async function withBystanders<T>(
  subject: Subject,
  agent: Agent,
  scopeToken: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly seconds: number; readonly seen: Bystanding }> {
  const [beating, reading] = (await openConnections(subject.address, 2)) as [HttpConnection, HttpConnection];
  const seen: Bystanding = { heartbeats: [], reads: [] };
  let going = true;
  const keep = async (times: number[], call: () => Promise<unknown>) => {
    while (going) {
      const begin = performance.now();
      await call();
      times.push(performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const input = { lifecycle: "working", ready: true, leaseMs: 86_400_000 };
  const standing = Promise.all([
    keep(seen.heartbeats, () => beating.call("PATCH", "/v1/me/heartbeat", agent.token, input)),
    keep(seen.reads, () => reading.call("GET", "/v1/agents", scopeToken)),
  ]);
  const begin = performance.now();
  const result = await work();
  const seconds = (performance.now() - begin) / 1000;
  going = false;
  await standing;
  for (const connection of [beating, reading]) connection.close();
  return { result, seconds, seen };
}

export function longest({ heartbeats, reads }: Bystanding): number {
  return Math.max(...heartbeats, ...reads);
}

export function heartbeatP95({ heartbeats }: Bystanding): number {
  return percentile(heartbeats, 0.95);
}
