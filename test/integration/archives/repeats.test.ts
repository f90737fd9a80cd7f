import { beforeAll, describe, expect, it } from "vitest";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";
import { deleteScope, exportOf, importNew, importText, stored, temporaryFiles } from "./archive-calls.ts";
import { handWritten } from "./hand-written.ts";

const daemon = useDaemon();
let text = "";
const archive = handWritten("foreign");

beforeAll(async () => {
  text = JSON.stringify(archive);
  await importNew(daemon(), archive);
});

/** The same value with the members of all objects the other way round. */
function reversed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, entry]) => [key, reversed(entry)]),
  );
}

const ALREADY = { status: 200, body: { ok: true, result: { scopeId: "foreign", imported: false } } };

describe("an archive of October Bus 0.1", () => {
  it("comes in with all its lists, and goes out as it came", async () => {
    const again = await exportOf(daemon(), "foreign");
    await until("its file is gone", () => temporaryFiles(daemon()).length === 0);
    // What a task depends on is a set.
    const inOrder = (task: object) => ({
      ...task,
      dependencies: (task as { dependencies: string[] }).dependencies.toSorted(),
    });
    expect({ ...again, exportedAt: "", tasks: again.tasks.map(inOrder) }).toEqual({
      ...archive,
      exportedAt: "",
      tasks: archive.tasks.map(inOrder),
    });
  });
});

describe("the very same archive again", () => {
  it.each([
    ["as it was", () => text],
    ["written with blanks", () => `\n\t ${JSON.stringify(archive, null, "\t")} \r\n`],
    ["with its members in another order", () => JSON.stringify(reversed(archive))],
    ["with escapes", () => text.replaceAll("planner", "\\u0070lanner").replaceAll("/", "\\/")],
    ["with numbers written otherwise", () => text.replace('"version":2', '"version":2.0e0')],
  ])("is known, %s", async (_, write) => {
    const before = stored(daemon());
    expect(await importText(daemon(), write())).toMatchObject(ALREADY);
    expect(stored(daemon())).toEqual(before);
  });

  it("is known after the scope has changed, its token was replaced, and all it brought was removed", async () => {
    const { scopeToken } = await daemon().admin.call("rotateScopeToken", { scopeId: "foreign" });
    await daemon().call("registerAgent", { id: "new", displayName: "new" }, { token: scopeToken });
    const before = daemon().clock.instant(1000);
    const { records } = await daemon().call("pruneScope", { before, execute: true }, { token: scopeToken });
    // A message nobody has answered stays with its request, and a task others wait for with it.
    expect(records).toMatchObject({ messages: 3, tasks: 0, a2aTasks: 1, escalations: 2 });
    expect(await importText(daemon(), text)).toMatchObject(ALREADY);
  });

  it("makes a scope again once that was deleted", async () => {
    await deleteScope(daemon(), "foreign");
    await importNew(daemon(), archive);
    expect(await importText(daemon(), text)).toMatchObject(ALREADY);
  });
});

describe("any other archive of the scope", () => {
  const changes: [string, (text: string) => string][] = [
    ["another instant of export", (t) => t.replace("2025-03-02T", "2025-03-03T")],
    ["another body", (t) => t.replace("body of m-3", "body of m-3!")],
    ["another value inside a value", (t) => t.replace('{"b":[1,null]', '{"b":[2,null]')],
    ["a list in another order", (t) => t.replace('["t-2","t-1"]', '["t-1","t-2"]')],
    ["one record less", (t) => t.replace(/,\{"id":"a-3"[^}]*\}/, "")],
    ["extensions", (t) => `${t.slice(0, -1)},"extensions":${JSON.stringify(NO_EXTENSIONS)}}`],
  ];
  it.each(changes)("is a conflict: %s", async (_, change) => {
    expect(change(text)).not.toBe(text);
    const before = stored(daemon());
    const answer = await importText(daemon(), change(text));
    expect(answer).toMatchObject({ status: 409, body: { error: { code: "CONFLICT" } } });
    expect(stored(daemon())).toEqual(before);
  });

  it("is a conflict too where the scope was made here", async () => {
    const scope = await daemon().scope();
    const answer = await importText(daemon(), JSON.stringify(handWritten(scope.id)));
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", message: `scope.id: the scope ${scope.id} exists already` } },
    });
  });
});

const NO_EXTENSIONS = {
  linkPolicy: "explicit",
  agents: [],
  messages: [],
  tasks: [],
  taskProgress: [],
  escalations: [],
  linkRequests: [],
};

describe("ids that another scope of the daemon has", () => {
  const other = () => handWritten("other");
  it.each([
    ["messages", "m-1", { messages: [other().messages[2], { ...other().messages[2], id: "m-1" }] }],
    ["agentCardPublications", "pub-1", { agentCardPublications: other().agentCardPublications }],
    ["outputStreams", "out-1", { outputStreams: other().outputStreams, outputValues: other().outputValues }],
  ])("are a conflict: %s", async (list, id, lists) => {
    const none = { messages: [], agentCardPublications: [], a2aTasks: [], a2aMessages: [], outputStreams: [] };
    const before = stored(daemon());
    const archived = { ...other(), ...none, outputValues: [], ...lists };
    const renamed = JSON.stringify(archived).replaceAll('"m-3"', '"m-33"');
    const answer = await importText(daemon(), renamed);
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", message: `${list}: ${id} belongs to another scope of this daemon` } },
    });
    expect(stored(daemon())).toEqual(before);
  });
});
