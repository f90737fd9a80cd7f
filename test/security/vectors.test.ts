import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ErrorValue } from "../../protocol/index.ts";
import type { AgentActor } from "../support/actors.ts";
import { makeWorld, type World } from "../support/fixtures.ts";
import { rawBytes, rawRequest, statusesOf } from "../support/raw.ts";
import { useDaemon } from "../support/use-daemon.ts";

/** Sends the published vectors to a real daemon. What they mean is on the page of security vectors. */

interface VectorRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly bodyText?: string;
  readonly bodyBytes?: number;
  readonly bodyNesting?: number;
}

interface Vector {
  readonly name: string;
  readonly why: string;
  readonly request?: VectorRequest;
  readonly raw?: readonly string[];
  readonly first?: VectorRequest;
  readonly expect: {
    readonly status?: number;
    readonly code?: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly statuses?: readonly number[];
  };
  readonly indistinguishableFrom?: string;
}

const ROOT = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const { vectors } = JSON.parse(read("protocol/security-vectors.json")) as { vectors: readonly Vector[] };

const intercom = useDaemon();
let world: World;
let values: Readonly<Record<string, string>>;

/** What there is of each kind in a scope. */
async function thingsOf({ scope, alice, bob, outside }: World) {
  const messageId = await alice.tell(bob, { mode: "request", body: "question" });
  const { id: taskId } = await alice.call("addTask", { title: "task" });
  const { id: escalationId } = await alice.call("askHuman", { question: "may I?" });
  const reservation = await bob.call("reserveInbox", {});
  const { streamId, publicationId } = outside;
  const reservationId = (reservation as { id: string }).id;
  return {
    scopeId: scope.id,
    agentId: alice.id,
    messageId,
    taskId,
    escalationId,
    reservationId,
    streamId,
    publicationId,
  };
}

/** Tokens of executions that have ended, each in its own way. Lets half a minute pass. */
async function endedExecutions({ scope, fresh }: World) {
  const agent = (id = fresh("agent"), leaseMs = 3_600_000): Promise<AgentActor> => scope.agent(id, { leaseMs });
  const [retired, removed, replaced] = [await agent(), await agent(), await agent()];
  await retired.call("retire", {});
  await scope.call("removeAgent", { agentId: removed.id });
  await agent(replaced.id);
  const rotated = await makeWorld(intercom());
  await intercom().admin.call("rotateScopeToken", { scopeId: rotated.scope.id });
  const deleted = await makeWorld(intercom());
  await intercom().admin.call("deleteScope", { scopeId: deleted.scope.id, confirmScopeId: deleted.scope.id });
  const expired = await agent(fresh("agent"), 30_000);
  await intercom().advance(30_000);
  return {
    retiredToken: retired.token,
    removedToken: removed.token,
    replacedToken: replaced.token,
    expiredToken: expired.token,
    rotatedScopeAgentToken: rotated.alice.token,
    formerScopeToken: rotated.scope.token,
    deletedScopeAgentToken: deleted.alice.token,
  };
}

async function formerReaders({ scope, outside: { streamId } }: World) {
  const issue = () => scope.call("createOutputPrincipal", { streamId, label: "former", permissions: ["read"] });
  const [disabled, rotated] = [await issue(), await issue()];
  await scope.call("disableOutputPrincipal", { principalId: disabled.principal.id });
  await scope.call("rotateOutputPrincipal", { principalId: rotated.principal.id });
  return { disabledReader: disabled.credential, rotatedReader: rotated.credential };
}

beforeAll(async () => {
  world = await makeWorld(intercom());
  const { scope, alice, bob, outside } = world;
  const foreign = await thingsOf(await makeWorld(intercom()));
  values = {
    ...Object.fromEntries(Object.entries(foreign).map(([name, value]) => [`foreign${upperFirst(name)}`, value])),
    ...(await thingsOf(world)),
    ...(await endedExecutions(world)),
    ...(await formerReaders(world)),
    adminToken: intercom().adminToken,
    host: `127.0.0.1:${intercom().port}`,
    port: String(intercom().port),
    scopeToken: scope.token,
    agentToken: alice.token,
    agentTokenDigest: createHash("sha256").update(alice.token).digest("base64url"),
    peerId: bob.id,
    otherAgentToken: (await scope.agent(world.fresh("agent"), { leaseMs: 86_400_000 })).token,
    reader: outside.reader,
    publisher: outside.publisher,
    a2aClient: outside.a2aClient,
  };
});

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function filled(text: string): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No placeholder ${name}`);
    return value;
  });
}

function bodyOf({ body, bodyText, bodyBytes, bodyNesting }: VectorRequest): string | undefined {
  if (bodyText !== undefined) return filled(bodyText);
  if (bodyBytes !== undefined) return `{"a":"${"x".repeat(bodyBytes - 8)}"}`;
  if (bodyNesting !== undefined) return `${'{"a":'.repeat(bodyNesting)}1${"}".repeat(bodyNesting)}`;
  if (body === undefined) return undefined;
  return filled(JSON.stringify(body, (_, value: unknown) => repeated(value) ?? value));
}

function repeated(value: unknown): string | undefined {
  const { repeat, times } = (value ?? {}) as { repeat?: string; times?: number };
  return repeat !== undefined && times !== undefined ? repeat.repeat(times) : undefined;
}

async function send(request: VectorRequest): Promise<{ status: number; text: string }> {
  const body = bodyOf(request);
  const given = Object.entries(request.headers ?? {}).map(([name, value]): [string, string] => [name, filled(value)]);
  const type: Record<string, string> = body === undefined ? {} : { "Content-Type": "application/json" };
  return rawRequest(intercom().port, {
    method: request.method,
    path: filled(request.path),
    headers: { ...type, ...Object.fromEntries(given) },
    ...(body === undefined ? {} : { body }),
  });
}

/** An answer without the ids it was asked for. */
function withoutIds(text: string): string {
  const ids = Object.entries(values).flatMap(([name, value]) => (name.endsWith("Id") ? [value] : []));
  return [...ids, "no-such-id", "no-such-stream"].reduce((rest, id) => rest.replaceAll(id, "ID"), text);
}

describe.each(vectors)("$name", (vector) => {
  test(vector.why, async () => {
    if (vector.first) expect((await send(vector.first)).status).toBeLessThan(300);
    const revision = await world.scope.revision();
    if (vector.raw) {
      const received = await rawBytes(intercom().port, filled(vector.raw.join("\r\n")));
      expect(statusesOf(received)).toEqual(vector.expect.statuses);
    } else {
      const { status, text } = await send(vector.request as VectorRequest);
      expect(status, text).toBe(vector.expect.status);
      if (vector.expect.code !== undefined) {
        const { ok, error } = JSON.parse(text) as { ok: boolean; error: ErrorValue };
        expect({ ok, code: error.code, details: error.details }).toMatchObject({
          ok: false,
          code: vector.expect.code,
          ...(vector.expect.details === undefined ? {} : { details: vector.expect.details }),
        });
      }
      const other = vectors.find(({ name }) => name === vector.indistinguishableFrom);
      if (other) expect(withoutIds((await send(other.request as VectorRequest)).text)).toBe(withoutIds(text));
      for (const [name, value] of Object.entries(values)) {
        if (name.endsWith("Token") || ["reader", "publisher", "a2aClient"].includes(name))
          expect(text).not.toContain(value);
      }
    }
    expect(await world.scope.revision()).toBe(revision);
    expect(await intercom().call("health", {})).toMatchObject({ status: "ready" });
  });
});

describe("the page of vectors", () => {
  const page = read("docs/protocol/security-vectors.md");

  test("has every vector, and no other", () => {
    const rows = [...page.matchAll(/^\| `([\w-]+)` \| (.*) \| (.*) \|$/gm)].slice(-vectors.length);
    expect(rows.map(([, name, why]) => [name, why])).toEqual(vectors.map(({ name, why }) => [name, why]));
    for (const [index, { expect: expected }] of vectors.entries()) {
      const reason = expected.details?.reason;
      const answer = `${expected.status}${expected.code ? ` \`${expected.code}\`` : ""}`;
      const whole = reason === undefined ? answer : `${answer}, reason \`${reason}\``;
      expect(rows[index]?.[3]).toBe(expected.statuses?.join(", ") ?? whole);
    }
  });

  test("explains every placeholder that is used", () => {
    const used = new Set([...JSON.stringify(vectors).matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] as string));
    for (const name of used) expect(page).toContain(`\`${name}\``);
  });

  test("names each vector once, and only others that exist", () => {
    const names = vectors.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { indistinguishableFrom } of vectors) {
      if (indistinguishableFrom !== undefined) expect(names).toContain(indistinguishableFrom);
    }
  });
});
