import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import type { ScopeArchive } from "../../../protocol/index.ts";
import { checkStored } from "../../properties/invariants.ts";
import type { ScopeActor } from "../../support/actors.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { deleteScope, exportOf, importNew, tracesOf } from "./archive-calls.ts";
import { type Everything, makeEverything } from "./everything.ts";
import { asImported, type Picture, pictureOf } from "./picture.ts";

const daemon = useDaemon();
const elsewhere = useDaemon();

let everything: Everything;
let before: Picture;
let plain: ScopeArchive;
let full: ScopeArchive;

beforeAll(async () => {
  everything = await makeEverything(daemon());
  before = await pictureOf(everything.scope);
  plain = await exportOf(daemon(), everything.scope.id);
  full = await exportOf(daemon(), everything.scope.id, { extensions: true });
});

/** Names that archives give to holders of credentials, by the order of their messages. */
function nameOf(principalId: string): string {
  const original = before.messages.filter(({ fromKind }) => fromKind === "a2aPrincipal");
  expect(new Set(original.map(({ from }) => from))).toEqual(new Set([principalId]));
  const [name] = new Set(full.a2aTasks.map((task) => task.principalId));
  expect(name).toMatch(/^a2ap_[0-9a-f]{32}$/);
  return name as string;
}

describe("an archive", () => {
  it("has one of everything, or these tests prove little", () => {
    for (const [list, records] of Object.entries({ ...full, ...full.extensions })) {
      if (Array.isArray(records)) expect(records.length, list).toBeGreaterThan(0);
    }
    const of = (values: readonly { state?: string; status?: string }[]) =>
      [...new Set(values.map(({ state, status }) => state ?? status))].sort();
    expect(of(before.messages)).toEqual(["acknowledged", "dead_lettered", "delivered", "expired", "queued"]);
    expect(of(before.tasks)).toEqual(["cancelled", "done", "open"]);
    expect(of(before.escalations)).toEqual(["cancelled", "expired", "pending", "resolved"]);
    expect(of(before.linkRequests)).toEqual(["accepted", "declined", "pending"]);
    expect(of(full.a2aTasks)).toEqual(["completed", "failed", "submitted", "working"]);
    const kinds = before.messages.map(({ fromKind, toKind, mode }) => `${fromKind} ${toKind} ${mode}`);
    expect([...new Set(kinds)].sort()).toEqual([
      "a2aPrincipal agent request",
      "agent a2aPrincipal response",
      "agent agent notify",
      "agent agent request",
      "agent agent response",
      "agent human notify",
      "agent human response",
      "human agent notify",
      "human agent request",
      "system agent notify",
    ]);
  });

  it("is as its published schema says", () => {
    const url = new URL("../../../protocol/generated/schemas/objects.json", import.meta.url);
    const schema = JSON.parse(readFileSync(url, "utf8")) as object;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(schema, "objects");
    const validate = ajv.compile({ $ref: "objects#/$defs/ScopeArchive" });
    for (const archive of [plain, full]) expect(validate(archive), JSON.stringify(validate.errors)).toBe(true);
    expect(Object.keys(plain)).not.toContain("extensions");
  });

  it("holds nothing that lets anybody in, or tells of what did", () => {
    const text = JSON.stringify(full);
    for (const secret of everything.secrets) {
      for (const trace of tracesOf(secret)) {
        expect(text.includes(trace), trace).toBe(false);
      }
    }
    expect(text).not.toMatch(/exec_|res_[0-9a-f]{32}|leaseExpires|executionId|tokenHash|requestHash|reservation/);
  });

  it("without extensions has only what the format knows", () => {
    expect(
      plain.messages.every(({ fromKind, toKind }) => ![fromKind, toKind].some((kind) => /human|system/.test(kind))),
    ).toBe(true);
    const { extensions: _, ...rest } = full;
    expect({ ...rest, exportedAt: "" }).toEqual({ ...plain, exportedAt: "" });
  });
});

/** What an import has to bring back of the scope, whichever archive it was. */
function expectSound(scope: ScopeActor): void {
  scope.intercom.sql((db) => checkStored(db, scope.intercom.clock.now()));
}

describe("an import", () => {
  it("with extensions brings everything back but executions and access, also on another daemon", async () => {
    elsewhere().clock.jump(daemon().clock.now() - elsewhere().clock.now());
    const scope = await importNew(elsewhere(), full);
    expectSound(scope);
    const after = await pictureOf(scope);
    const ofPublication = ({ cardUrl: _, interfaceUrl: __, ...rest }: Picture["publications"][number]) => rest;
    const strip = (picture: ReturnType<typeof asImported>) => ({
      ...picture,
      publications: picture.publications.map(ofPublication),
    });
    expect(strip(asImported(after, (id) => id))).toEqual(strip(asImported(before, nameOf)));
    const events = await scope.events();
    expect(events.map(({ type, attributes, revision }) => [type, attributes, revision])).toEqual([
      ["scope.imported", { archiveVersion: "2" }, 1],
    ]);
    expect(after.agents.every(({ reachable, lifecycle }) => !reachable && lifecycle === "offline")).toBe(true);
    expect(await scope.call("listA2aPrincipals", {})).toEqual([]);
    expect(await scope.call("listOutputPrincipals", {})).toEqual([]);
    // The same archive again, but for the instant.
    const again = await exportOf(elsewhere(), scope.id, { extensions: true });
    expect({ ...again, exportedAt: "" }).toEqual({ ...full, exportedAt: "" });
  });

  it("without extensions brings back what the format knows, as the format knows it", async () => {
    await deleteScope(elsewhere(), plain.scope.id);
    const scope = await importNew(elsewhere(), plain);
    expectSound(scope);
    const after = await pictureOf(scope);
    const same = (what: string, actual: readonly unknown[], expected: readonly unknown[]) =>
      expect(actual, what).toEqual(expected);
    const expected = asImported(before, nameOf);

    expect(after.scope).toEqual({ ...before.scope, linkPolicy: "explicit" });
    same("links", after.links, before.links);
    same("link requests", after.linkRequests, []);
    same("outputs", after.outputs, before.outputs);
    // Nobody is known to have been removed, and nobody says anything of itself.
    expect(after.agents.map(({ id }) => id).sort()).toEqual(["ada", "bob", "cy", "dan"]);
    for (const agent of expected.agents) {
      const { summary: _, metadata: __, owes: ___, ...rest } = agent;
      expect(after.agents.find(({ id }) => id === agent.id)).toMatchObject(rest);
    }
    expect(after.agents.every(({ summary, metadata }) => summary === undefined && metadata === undefined)).toBe(true);
    // Messages of the human and the daemon are gone; one that was set aside has expired; redeliveries are not counted.
    const plainMessages = expected.messages.filter(({ fromKind, toKind }) => !/human|system/.test(fromKind + toKind));
    same(
      "messages",
      after.messages,
      plainMessages.map(({ deadLetteredAt, deadLetterReason: _, ...message }) => ({
        ...message,
        ...(deadLetteredAt === undefined ? {} : { state: "expired", expiresAt: message.expiresAt ?? deadLetteredAt }),
        deliveryCount: message.deliveredAt === undefined ? 0 : 1,
      })),
    );
    // Cancelled tasks are gone, and nobody waits for them; all have the usual priority and require nothing.
    const cancelled = new Set(before.tasks.filter(({ status }) => status === "cancelled").map(({ id }) => id));
    same(
      "tasks",
      after.tasks,
      expected.tasks
        .filter(({ id }) => !cancelled.has(id))
        .map((task) => {
          const blockedBy = task.blockedBy.filter((id) => !cancelled.has(id));
          const dependencies = task.dependencies.filter((id) => !cancelled.has(id));
          const ready = task.status === "open" && blockedBy.length === 0;
          return { ...task, blockedBy, dependencies, ready, priority: "normal", requires: [] };
        }),
    );
    same(
      "progress",
      after.progress.flat(),
      expected.progress.flat().filter(({ taskId }) => !cancelled.has(taskId)),
    );
    // A question that ran out was taken back; how it was asked, put off, answered and read is not known.
    same(
      "questions",
      after.escalations,
      before.escalations.map((question) => {
        const { cancelReason: _, expiresAt: __, expiredAt: ___, deferredUntil: ____, ...known } = question;
        const { answerReadAt: _____, resolution, ...rest } = known;
        const status = question.status === "expired" ? "cancelled" : question.status;
        return {
          ...rest,
          status,
          kind: question.options.length > 0 ? "choice" : "input",
          urgency: "normal",
          context: [],
          ...(status === "cancelled" ? { cancelledAt: question.createdAt } : {}),
          ...(resolution ? { resolution: { by: "human", surface: "api", at: resolution.at, late: false } } : {}),
        };
      }),
    );
    const again = await exportOf(elsewhere(), scope.id);
    expect({ ...again, exportedAt: "" }).toEqual({ ...plain, exportedAt: "" });
  });
});
