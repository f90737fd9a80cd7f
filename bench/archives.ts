import { statSync } from "node:fs";
import { join } from "node:path";
import { heartbeatP95, longest, withBystanders } from "./lib/bystanders.ts";
import { archiveIn, download, upload } from "./lib/file-transfer.ts";
import { fillMessages } from "./lib/fill.ts";
import type { HttpConnection } from "./lib/http-connection.ts";
import type { Row } from "./lib/report.ts";
import { freshDirectory, makePair, openConnections, startSubject } from "./lib/subject.ts";

/** Taking a scope with a long history out, and bringing it in elsewhere. */
export async function archives(messages: number): Promise<Row[]> {
  const directory = freshDirectory();
  const from = await filledSubject(join(directory.path, "from"), messages, 1024);
  const file = join(directory.path, "archive.json");
  const path = `/v1/admin/scopes/${from.pair.scopeId}/export?whileRunning=true`;
  const { address, adminToken } = from.subject;
  const exported = await withBystanders(from.subject, from.pair.sender, from.pair.scopeToken, () =>
    download({ address, token: adminToken, path }, file),
  );
  const exportMemory = await from.subject.ask<{ peakRssMb: number }>("memory");
  await from.subject.stop();

  const to = await emptySubject(join(directory.path, "to"));
  const target = { address: to.subject.address, token: to.subject.adminToken, path: "/v1/admin/scopes/import" };
  const imported = await withBystanders(to.subject, to.pair.sender, to.pair.scopeToken, () =>
    upload(target, file, archiveIn(file)),
  );
  if (imported.result.status !== 201) throw new Error(`import: ${imported.result.status} ${imported.result.text}`);
  const importMemory = await to.subject.ask<{ peakRssMb: number }>("memory");
  await to.subject.stop();
  const note = `${messages} messages, ${(statSync(file).size / 1e6).toFixed(0)} MB`;
  directory.remove();
  return [
    { what: "export", value: exported.seconds, unit: "s", target: { atMost: 60 }, note },
    { what: "export, peak memory of the daemon", value: exportMemory.peakRssMb, unit: "MB", target: { atMost: 400 } },
    { what: "export, longest wait of others", value: longest(exported.seen), unit: "ms" },
    { what: "import", value: imported.seconds, unit: "s", target: { atMost: 60 }, note },
    { what: "import, peak memory of the daemon", value: importMemory.peakRssMb, unit: "MB", target: { atMost: 400 } },
    { what: "import, heartbeat p95", value: heartbeatP95(imported.seen), unit: "ms" },
    { what: "import, longest wait of a heartbeat", value: Math.max(...imported.seen.heartbeats), unit: "ms" },
    { what: "import, longest wait of a read", value: Math.max(...imported.seen.reads), unit: "ms" },
  ];
}

/** A daemon with a scope of two agents. */
export async function emptySubject(directory: string) {
  const subject = await startSubject(directory);
  const [connection] = (await openConnections(subject.address, 1)) as [HttpConnection];
  const pair = await makePair(connection, subject.adminToken);
  connection.close();
  return { subject, pair };
}

/** The same with messages between the two that have been dealt with. */
export async function filledSubject(directory: string, messages: number, bodyBytes: number) {
  const { subject: first, pair } = await emptySubject(directory);
  await first.stop();
  await fillMessages(join(directory, "data", "intercom.db"), pair.scopeId, messages, bodyBytes);
  return { subject: await startSubject(directory), pair };
}
