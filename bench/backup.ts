import { statSync } from "node:fs";
import { join } from "node:path";
import { filledSubject } from "./archives.ts";
import { heartbeatP95, longest, withBystanders } from "./lib/bystanders.ts";
import { download } from "./lib/file-transfer.ts";
import type { Row } from "./lib/report.ts";
import { bodyOf, freshDirectory, openConnections } from "./lib/subject.ts";

const WRITERS = 32;

/** A copy of a large database while many go on writing. */
export async function backup(megabytes: number): Promise<Row[]> {
  const directory = freshDirectory();
  const { subject, pair } = await filledSubject(join(directory.path, "d"), megabytes * 220, 4096);
  const file = join(directory.path, "backup.db");
  const connections = await openConnections(subject.address, WRITERS);
  const body = bodyOf(1024);
  let going = true;
  let written = 0;
  const writing = connections.map(async (connection, index) => {
    while (going) {
      const input = { title: `task ${index}`, description: body };
      const { id } = await connection.call<{ id: string }>("POST", "/v1/tasks", pair.scopeToken, input);
      // They would soon be too many.
      await connection.call("POST", `/v1/tasks/${id}/cancel`, pair.scopeToken, {});
      written += 2;
    }
  });
  const transfer = { address: subject.address, token: subject.adminToken, path: "/v1/admin/backup" };
  const calm = await withBystanders(
    subject,
    pair.sender,
    pair.scopeToken,
    () => new Promise((r) => setTimeout(r, 3000)),
  );
  const before = written;
  const { seconds, seen } = await withBystanders(subject, pair.sender, pair.scopeToken, () => download(transfer, file));
  const rate = (written - before) / seconds;
  going = false;
  await Promise.all(writing);
  for (const connection of connections) connection.close();
  const memory = await subject.ask<{ peakRssMb: number }>("memory");
  await subject.stop();
  const note = `${(statSync(file).size / 1e6).toFixed(0)} MB, ${WRITERS} clients that write ${rate.toFixed(0)}/s`;
  directory.remove();
  return [
    { what: "backup", value: seconds, unit: "s", note },
    { what: "backup, heartbeat p95", value: heartbeatP95(seen), unit: "ms", target: { atMost: 50 } },
    { what: "same without a backup", value: heartbeatP95(calm.seen), unit: "ms" },
    { what: "backup, longest wait of others", value: longest(seen), unit: "ms" },
    { what: "backup, peak memory of the daemon", value: memory.peakRssMb, unit: "MB" },
  ];
}
