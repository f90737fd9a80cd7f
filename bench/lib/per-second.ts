import type { HttpConnection } from "./http-connection.ts";

/** One call on a connection, of those that are in flight. */
export type Next = (connection: HttpConnection, index: number) => Promise<void>;

/** How many calls a second are done, one at a time on each connection. */
export async function perSecond(seconds: number, connections: readonly HttpConnection[], next: Next): Promise<number> {
  const begin = performance.now();
  const until = begin + seconds * 1000;
  let done = 0;
  await Promise.all(
    connections.map(async (connection, index) => {
      while (performance.now() < until) {
        await next(connection, index);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - begin) / 1000);
}
