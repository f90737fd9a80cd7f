import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, expect, it } from "vitest";
import { LIMITS } from "../../protocol/index.ts";
import { useTemporaryDirectory } from "../fixtures/temporary-directory.ts";
import { checkFile } from "../properties/invariants.ts";
import { DaemonProcess, killLeftovers } from "./daemon-process.ts";
import { Comeback, pause } from "./load.ts";

const path = useTemporaryDirectory();
afterEach(killLeftovers);

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 3);
const AGENTS = 6;
const CREDENTIALS = 6;

/** What a publisher was told. */
interface Published {
  readonly sequence: number;
  readonly text: string;
}

/** Publishes until told to stop; what it began it brings to an end. */
async function publish(comeback: Comeback, streamId: string, name: string, token: string, going: () => boolean) {
  const told: Published[] = [];
  for (let index = 0; going(); index += 1) {
    const value = `${name}:${index}`;
    const input = { streamId, contentType: "text/plain" as const, value };
    const answer = await comeback.call("publishOutput", input, { token, key: value });
    expect(answer.value).toBe(value);
    told.push({ sequence: answer.sequence, text: value });
    await pause(5);
  }
  return told;
}

/** Reads along until everything has been read that was there when it was told to stop. */
async function follow(comeback: Comeback, streamId: string, token: string, going: () => boolean) {
  const seen: Published[] = [];
  for (let after = 0; ; ) {
    const more = going();
    const input = { streamId, after, limit: LIMITS.outputPage, waitMs: 50 };
    const { values, nextSequence, resyncRequired } = await comeback.call("listOutputValues", input, { token });
    expect(resyncRequired).toBe(false);
    seen.push(...values.map(({ sequence, value }) => ({ sequence, text: String(value) })));
    after = nextSequence;
    if (!more && values.length === 0) return seen;
  }
}

it(`numbers values without gap or duplicate through ${ROUNDS} kills under load`, {
  timeout: 60_000 + ROUNDS * 10_000,
}, async () => {
  const directories = { dataDir: path("data"), runtimeDir: path("run") };
  const comeback = new Comeback();
  const start = async () => {
    const daemon = await DaemonProcess.start(directories);
    comeback.arrived(daemon);
    return daemon;
  };
  let daemon = await start();
  const { scopeToken } = await daemon.call("createScope", { id: "s" }, { token: daemon.adminToken });
  const owner = { token: scopeToken };
  const publishers: [name: string, token: string][] = [];
  for (let index = 0; index < AGENTS; index += 1) {
    const id = `agent-${index}`;
    const { agentToken } = await daemon.call("registerAgent", { id, displayName: id, leaseMs: 86_400_000 }, owner);
    publishers.push([id, agentToken]);
  }
  const publisherAgentIds = publishers.map(([id]) => id);
  const retentionLimit = LIMITS.outputRetentionMax;
  const { id: streamId } = await daemon.call(
    "createOutputStream",
    { name: "n", retentionLimit, publisherAgentIds },
    owner,
  );
  for (let index = 0; index < CREDENTIALS; index += 1) {
    const issue = { streamId, label: "l", permissions: ["publish" as const] };
    publishers.push([`credential-${index}`, (await daemon.call("createOutputPrincipal", issue, owner)).credential]);
  }

  let publishing = true;
  let reading = true;
  const published = Promise.all(
    publishers.map(([name, token]) => publish(comeback, streamId, name, token, () => publishing)),
  );
  const read = follow(comeback, streamId, scopeToken, () => reading);
  const everything = Promise.all([published, read]);
  // A failure is thrown where it is waited for, below.
  everything.catch(() => {});

  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.race([pause(100 + Math.random() * 300), everything]);
    comeback.gone();
    await daemon.kill();
    daemon = await start();
  }
  await pause(100);
  publishing = false;
  const told = (await published).flat().toSorted((a, b) => a.sequence - b.sequence);
  reading = false;
  const seen = await read;
  expect(await daemon.terminate()).toBe(0);

  const expected = Array.from({ length: told.length }, (_, index) => index + 1);
  expect(told.length).toBeGreaterThan(publishers.length);
  expect(told.map(({ sequence }) => sequence)).toEqual(expected);
  expect(seen).toEqual(told);

  const database = new Database(join(directories.dataDir, "intercom.db"));
  try {
    checkFile(database);
    const stored = database.prepare("SELECT sequence, value FROM output_values ORDER BY sequence").all() as {
      sequence: number;
      value: string;
    }[];
    expect(stored.map(({ sequence, value }) => ({ sequence, text: JSON.parse(value) }))).toEqual(told);
    expect(database.prepare("SELECT sequence, floor FROM output_streams").all()).toEqual([
      { sequence: told.length, floor: 0 },
    ]);
    const events = database.prepare("SELECT COUNT(*) FROM events WHERE type = 'output.published'").pluck().get();
    expect(events).toBe(told.length);
    console.log(
      `kill -9: ${ROUNDS} kills, ${told.length} values, ${comeback.interrupted} calls cut off; lost 0, doubled 0`,
    );
  } finally {
    database.close();
  }
});
