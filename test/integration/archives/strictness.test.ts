import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { deleteScope, importNew, importText, stored } from "./archive-calls.ts";
import { type Broken, brokenRecords, brokenTexts, type Loose, soundArchive } from "./broken-archives.ts";

const daemon = useDaemon();

/** Sends what must be refused, with nothing of it kept. Gives the message. */
async function refusalOf(text: string | Buffer): Promise<string> {
  const before = stored(daemon());
  const body = typeof text === "string" ? text : new Uint8Array(text);
  const answer = await importText(daemon(), body);
  const { error } = answer.body as { error?: { code: string; message: string } };
  expect(answer, JSON.stringify(answer.body)).toMatchObject({
    status: 400,
    body: { ok: false, error: { code: "INVALID_ARGUMENT" } },
  });
  expect(stored(daemon())).toEqual(before);
  return error?.message ?? "";
}

function textOf({ break: change }: Broken): string {
  const archive = soundArchive("broken");
  return JSON.stringify(change(archive) ?? archive);
}

it("what these archives are made of is sound", async () => {
  await importNew(daemon(), soundArchive("broken"));
  await deleteScope(daemon(), "broken");
});

describe("an archive is refused, with the place of its fault, and nothing is kept of it", () => {
  it("for each of the faults every record can have, and each rule of the format", async () => {
    const wrong: string[] = [];
    const before = stored(daemon());
    for (const fault of brokenRecords) {
      const { status, body } = await importText(daemon(), textOf(fault));
      const { error } = body as { error?: { code: string; message: string } };
      if (status !== 400 || error?.code !== "INVALID_ARGUMENT" || !error.message.startsWith(fault.says)) {
        wrong.push(`${fault.what}: expected "${fault.says}", got ${status} ${error?.code} "${error?.message}"`);
      }
      if (status === 201) await deleteScope(daemon(), "broken");
    }
    expect(wrong).toEqual([]);
    expect(stored(daemon())).toEqual(before);
  }, 120_000);

  it.each(brokenTexts)("when the text is or has %s", async (_, says, change) => {
    const sound = JSON.stringify(soundArchive("broken"));
    const text = change(sound);
    expect(text).not.toBe(sound);
    expect(await refusalOf(text)).toMatch(new RegExp(`^${says.replace(/[.()[\]]/g, "\\$&")}`));
  });

  it("when it is not said to be JSON, or fields come in the query", async () => {
    const { address, adminToken } = daemon();
    const post = async (path: string, type: string) => {
      const headers = { Authorization: `Bearer ${adminToken}`, "Content-Type": type };
      const response = await fetch(address + path, { method: "POST", headers, body: "{}" });
      return [response.status, ((await response.json()) as { error: { message: string } }).error.message];
    };
    const path = "/v1/admin/scopes/import";
    expect(await post(path, "text/plain")).toEqual([400, "Content-Type: expected application/json"]);
    expect(await post(`${path}?version=2`, "application/json")).toEqual([
      400,
      "version: unknown field here; fields travel in the body",
    ]);
  });

  it("when it says that it is larger than any may be", async () => {
    const { address, adminToken } = daemon();
    const { request } = await import("node:http");
    const answer = await new Promise<[number, string]>((resolve, reject) => {
      const sent = request(
        `${address}/v1/admin/scopes/import`,
        {
          method: "POST",
          headers: {
            Authorization: `Bearer ${adminToken}`,
            "Content-Type": "application/json",
            "Content-Length": LIMITS.archiveBytes + 1,
          },
        },
        (response) => {
          response.setEncoding("utf8");
          let text = "";
          response.on("data", (chunk: string) => (text += chunk));
          response.on("end", () => resolve([response.statusCode ?? 0, text]));
        },
      );
      sent.on("error", reject);
      sent.write("{");
    });
    expect(answer[0]).toBe(400);
    expect(answer[1]).toContain("The archive exceeds 1024 MiB");
  });
});

describe("an archive at its limits is taken", () => {
  it.each<[string, (archive: Loose) => void]>([
    [
      "as many messages as may wait",
      (a) => {
        const queued = { ...a.messages[2] };
        for (let n = 0; n < LIMITS.activeMessagesPerScope - 3; n += 1) a.messages.push({ ...queued, id: `n-${n}` });
        // Notices come in however full the scope is.
        const notice = { ...a.extensions.messages[0], from: "intercom", fromKind: "system" };
        for (let n = 0; n < 10; n += 1) {
          a.extensions.messages.push({ ...notice, id: `s-${n}`, about: { kind: "task", id: "t-1" } });
        }
      },
    ],
    [
      "the longest texts",
      (a) => {
        a.messages[2].body = `${"€".repeat(21_845)}x`;
        a.messages[2].context = Array.from({ length: 4 }, () => ({
          kind: "text",
          title: "t",
          text: "\u0001".repeat(65_500),
        }));
        a.tasks[1].title = "x".repeat(256);
        a.tasks[1].description = "x".repeat(16_384);
        a.outputValues[1].value = "x".repeat(262_142);
        a.outputStreams[0].currentSequence = Number.MAX_SAFE_INTEGER;
        a.outputStreams[0].minimumCursor = Number.MAX_SAFE_INTEGER - 2;
        a.outputValues[0].sequence = Number.MAX_SAFE_INTEGER - 1;
        a.outputValues[1].sequence = Number.MAX_SAFE_INTEGER;
      },
    ],
    [
      "values with names of every kind",
      (a) => {
        a.outputValues[1].value = JSON.parse(
          '{"__proto__":{"x":1},"constructor":1,"":2,"a.b":[{}],"\\"":"\\\\"}',
        ) as unknown;
      },
    ],
    [
      "instants in any form",
      (a) => {
        a.scope.createdAt = "0000-01-01T00:00:00Z";
        a.messages[2].createdAt = "2025-03-01T12:00:07.123456789+02:00";
      },
    ],
  ])("%s", async (_, change) => {
    const archive = soundArchive("full");
    change(archive);
    const scope = await importNew(daemon(), archive);
    const again = (await daemon().admin.call("exportScope", { scopeId: scope.id, extensions: true })) as Loose;
    expect(again.outputValues).toEqual(archive.outputValues);
    expect(again.messages.length).toBe(archive.messages.length + 1);
    expect(JSON.stringify(again.outputValues[1].value)).toBe(JSON.stringify(archive.outputValues[1].value));
    await deleteScope(daemon(), scope.id);
  });
});
