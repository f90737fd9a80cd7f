import { describe, expect, test } from "vitest";
import { LIMITS, type OutputPermission } from "../../../protocol/index.ts";
import { CredentialActor, issue, makeStream, outputRows, rowNo, say } from "../../support/outputs.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();
const refused = { status: 401, code: "UNAUTHENTICATED", message: "Invalid output credential" };

describe("a credential", () => {
  test("is shown once, and listed without its secret", async () => {
    const { scope, stream } = await makeStream(intercom());
    const issued = await scope.call("createOutputPrincipal", {
      streamId: stream.id,
      label: "page",
      permissions: ["read"],
    });
    const { id } = issued.principal;
    expect(issued.credential).toMatch(new RegExp(`^${id}\\.[\\w-]{43}$`));
    expect(issued.principal).toEqual({
      id: expect.stringMatching(/^cred_[0-9a-f]{32}$/),
      scopeId: scope.id,
      streamId: stream.id,
      label: "page",
      permissions: ["read"],
      enabled: true,
      createdAt: intercom().clock.instant(),
      updatedAt: intercom().clock.instant(),
    });
    expect(await scope.call("listOutputPrincipals", {})).toEqual([issued.principal]);
    const secret = issued.credential.slice(id.length + 1);
    for (const [name, input] of [
      ["listOutputPrincipals", {}],
      ["disableOutputPrincipal", { principalId: id }],
      ["enableOutputPrincipal", { principalId: id }],
      ["listEvents", { after: 0 }],
      ["getOutputStream", { streamId: stream.id }],
    ] as const) {
      expect(JSON.stringify(await intercom().send(name, input, { token: scope.token }))).not.toContain(secret);
    }
    const rows = intercom().sql((database) => JSON.stringify(database.prepare("SELECT * FROM principals").all()));
    expect(rows).not.toContain(secret);
  });

  test.each<[OutputPermission[], boolean, boolean]>([
    [["read"], true, false],
    [["publish"], false, true],
    [["read", "publish"], true, true],
  ])("with %j may do just that", async (permissions, mayRead, mayPublish) => {
    const { scope, stream } = await makeStream(intercom());
    const holder = await issue(scope, stream.id, ...permissions);
    const streamId = stream.id;
    const value = { streamId, contentType: "text/plain" as const, value: "x" };
    if (mayPublish) {
      const published = await holder.call("publishOutput", value);
      expect(published).toMatchObject({ producerType: "principal", producerId: holder.id, sequence: 1 });
    } else expect(await holder.refused("publishOutput", value)).toMatchObject(refused);
    if (mayRead) {
      await holder.call("latestOutput", { streamId });
      await holder.call("listOutputValues", { streamId });
    } else {
      expect(await holder.refused("latestOutput", { streamId })).toMatchObject(refused);
      expect(await holder.refused("listOutputValues", { streamId })).toMatchObject(refused);
    }
  });

  test("is not issued for nothing, twice the same, or a stream of others", async () => {
    const { scope, stream } = await makeStream(intercom());
    const { stream: other } = await makeStream(intercom());
    const before = outputRows(intercom());
    const ask = (permissions: unknown, streamId = stream.id) =>
      scope.refused("createOutputPrincipal", { streamId, label: "l", permissions });
    expect(await ask([])).toMatchObject({ status: 400 });
    expect(await ask(["read", "read"])).toMatchObject({ message: "permissions: expected each permission once" });
    expect(await ask(["own"])).toMatchObject({ status: 400 });
    expect(await ask("read")).toMatchObject({ message: "permissions: expected a list of permissions" });
    expect(await ask(["read"], other.id)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(outputRows(intercom())).toEqual(before);
  });

  test("stops with rotation, and its successor works at once", async () => {
    const { scope, stream } = await makeStream(intercom());
    const old = await issue(scope, stream.id, "read", "publish");
    await say(old, stream.id, "before");
    intercom().clock.advance(1000);
    const { principal, credential } = await scope.call("rotateOutputPrincipal", { principalId: old.id });
    expect(principal).toEqual({ ...old.principal, updatedAt: intercom().clock.instant() });
    expect(credential).not.toBe(old.token);
    expect(await old.refused("latestOutput", { streamId: stream.id })).toMatchObject(refused);
    const successor = new CredentialActor(intercom(), principal, credential);
    expect(await say(successor, stream.id, "after")).toMatchObject({ producerId: old.id, sequence: 2 });
  });

  test("is switched off and on again; rotated while off it stays off", async () => {
    const { scope, stream } = await makeStream(intercom());
    const reader = await issue(scope, stream.id, "read");
    const streamId = stream.id;
    const principalId = reader.id;
    expect(await scope.call("disableOutputPrincipal", { principalId })).toMatchObject({ enabled: false });
    expect(await reader.refused("latestOutput", { streamId })).toMatchObject(refused);
    const { principal, credential } = await scope.call("rotateOutputPrincipal", { principalId });
    expect(principal.enabled).toBe(false);
    const successor = new CredentialActor(intercom(), principal, credential);
    expect(await successor.refused("latestOutput", { streamId })).toMatchObject(refused);
    expect(await scope.call("enableOutputPrincipal", { principalId })).toMatchObject({ enabled: true });
    expect(await successor.call("latestOutput", { streamId })).toBeNull();
    expect(await reader.refused("latestOutput", { streamId })).toMatchObject(refused);
  });

  test("tells of its changes, each once, and never of its secret or label", async () => {
    const { scope, stream } = await makeStream(intercom());
    const events = await scope.eventsOf(async () => {
      const { id: principalId } = await issue(scope, stream.id, "read", "publish");
      for (const name of [
        "disableOutputPrincipal",
        "disableOutputPrincipal",
        "rotateOutputPrincipal",
        "enableOutputPrincipal",
        "enableOutputPrincipal",
      ] as const) {
        await scope.call(name, { principalId });
      }
    });
    const [{ id } = { id: "" }] = await scope.call("listOutputPrincipals", {});
    const told = (type: string, enabled: boolean) => [
      type,
      id,
      {
        resourceType: "outputStream",
        resourceId: stream.id,
        permissions: "read,publish",
        enabled: String(enabled),
        actor: "scope",
      },
    ];
    expect(events).toEqual([
      told("credential.created", true),
      told("credential.disabled", false),
      told("credential.rotated", false),
      told("credential.enabled", true),
    ]);
  });

  test("goes with the token of its scope", async () => {
    const { scope, stream } = await makeStream(intercom());
    const reader = await issue(scope, stream.id, "read");
    const { scopeToken } = await intercom().admin.call("rotateScopeToken", { scopeId: scope.id });
    expect(await reader.refused("latestOutput", { streamId: stream.id })).toMatchObject(refused);
    const [listed] = await intercom().call("listOutputPrincipals", {}, { token: scopeToken });
    expect(listed).toMatchObject({ id: reader.id, enabled: false });
    await intercom().call("enableOutputPrincipal", { principalId: reader.id }, { token: scopeToken });
    expect(await reader.call("latestOutput", { streamId: stream.id })).toBeNull();
  });

  test("is one of 1,000 in its scope, those of A2A included", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    const publication = await scope.call("publishAgentCard", { agentId: agent.id });
    await scope.call("createA2aPrincipal", { publicationId: publication.id, label: "l" });
    const scopeNo = rowNo(intercom(), "scopes", scope.id);
    const streamNo = rowNo(intercom(), "output_streams", stream.id);
    intercom().sql((database) => {
      const insert = database.prepare(
        `INSERT INTO principals (id, scope_no, kind, resource_no, label, permissions, token_hash, enabled, created_at, updated_at)
         VALUES (?, ?, 'output', ?, 'l', '["read"]', ?, 0, 0, 0)`,
      );
      for (let n = 2; n < LIMITS.scopedCredentialsPerScope; n += 1) {
        insert.run(`cred_${n}`, scopeNo, streamNo, `${scope.id} ${n}`);
      }
    });
    const last = await issue(scope, stream.id, "read");
    const input = { streamId: stream.id, label: "l", permissions: ["read"] };
    const revision = await scope.revision();
    expect(await scope.refused("createOutputPrincipal", input)).toMatchObject({ status: 429, code: "BACKPRESSURE" });
    expect(await scope.refused("createA2aPrincipal", { publicationId: publication.id, label: "l" })).toMatchObject({
      status: 429,
      code: "BACKPRESSURE",
    });
    expect(await scope.revision()).toBe(revision);
    // Rotating needs no room.
    await scope.call("rotateOutputPrincipal", { principalId: last.id });
    await scope.call("removeOutputStream", { streamId: stream.id });
    const other = await scope.call("createOutputStream", { name: "other" });
    await issue(scope, other.id, "read");
  });

  test("is found by its own kind only", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    const publication = await scope.call("publishAgentCard", { agentId: agent.id });
    const a2a = await scope.call("createA2aPrincipal", { publicationId: publication.id, label: "l" });
    const reader = await issue(scope, stream.id, "read");
    const missing = { status: 404, code: "NOT_FOUND" };
    for (const name of ["rotateOutputPrincipal", "enableOutputPrincipal", "disableOutputPrincipal"] as const) {
      expect(await scope.refused(name, { principalId: a2a.principal.id })).toMatchObject(missing);
      expect(await scope.refused(name, { principalId: "cred_none" })).toMatchObject(missing);
    }
    expect(await scope.refused("disableA2aPrincipal", { principalId: reader.id })).toMatchObject(missing);
  });
});
