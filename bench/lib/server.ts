import { rmSync } from "node:fs";
import { join } from "node:path";
import express from "express";
import { startDaemon } from "../../daemon/index.ts";
import { SqliteStore } from "../../daemon/store/index.ts";
import { median } from "./statistics.ts";

/**
 * The process under test: a daemon, and beside it what it is compared with: an express route that parses the same body
 * and stores nothing, and single rows committed with a full fsync. Tells its parent where to find them.
 */
const directory = process.argv[2] as string;

const daemon = await startDaemon({ dataDir: join(directory, "data"), runtimeDir: join(directory, "run"), port: 0 });

const app = express();
app.post("/echo", express.json(), (request, response) => {
  response.json({ ok: true, result: { length: (request.body as { body: string }).body.length } });
});
const server = app.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as { port: number };
  const { address, adminToken } = daemon;
  process.send?.({ kind: "ready", address, adminToken, echo: `http://127.0.0.1:${port}` });
});

// The comparison rests while the daemon is measured.
server.keepAliveTimeout = 120_000;

async function commitMedianMs(): Promise<number> {
  const file = join(directory, "commit.db");
  const store = SqliteStore.open(file);
  await store.write((tx) =>
    tx.run("INSERT INTO scopes (no, id, token_hash, link_policy, created_at) VALUES (1, 's', 't', 'open', 0)"),
  );
  const samples: number[] = [];
  for (let index = 0; index < 2000; index += 1) {
    let begin = 0;
    await store.write((tx) => {
      begin = performance.now();
      return tx.run(
        "INSERT INTO events (scope_no, revision, id, type, subject_id, attributes, created_at) VALUES (1, ?, 'e', 't', 's', '{}', 0)",
        index,
      );
    });
    samples.push(performance.now() - begin);
  }
  await store.close();
  rmSync(file, { force: true });
  return median(samples);
}

process.on("message", (message: { kind: string }) => {
  if (message.kind === "memory") {
    globalThis.gc?.();
    const peakRssMb = (process.resourceUsage().maxRSS * 1024) / 1e6;
    const { rss, heapUsed } = process.memoryUsage();
    const [rssMb, heapMb] = [rss / 1e6, heapUsed / 1e6];
    process.send?.({ kind: "memory", rssMb, heapMb, peakRssMb, cpuMs: process.cpuUsage().user / 1000 });
  }
  if (message.kind === "commit") void commitMedianMs().then((ms) => process.send?.({ kind: "commit", ms }));
  if (message.kind === "stop") {
    void daemon.stop().then(() => {
      server.close();
      process.disconnect();
    });
  }
});
