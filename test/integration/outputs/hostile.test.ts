import { beforeAll, describe, expect, test } from "vitest";
import { type OperationName, operationNames, operationOf } from "../../../protocol/index.ts";
import type { Actor } from "../../support/actors.ts";
import { type CredentialActor, issue, makeStream, outputRows, type StreamWorld, say } from "../../support/outputs.ts";
import { useDaemon } from "../../support/use-daemon.ts";

/** Whoever holds one credential tries it on everything else. */

const intercom = useDaemon();
let mine: StreamWorld;
let neighbour: string;
let foreign: StreamWorld;
let reader: CredentialActor;
let publisher: CredentialActor;
let everything: CredentialActor;

beforeAll(async () => {
  mine = await makeStream(intercom());
  foreign = await makeStream(intercom());
  neighbour = (await mine.scope.call("createOutputStream", { name: "neighbour", publisherAgentIds: [mine.agent.id] }))
    .id;
  reader = await issue(mine.scope, mine.stream.id, "read");
  publisher = await issue(mine.scope, mine.stream.id, "publish");
  everything = await issue(mine.scope, mine.stream.id, "read", "publish");
  await say(mine.agent, neighbour, "secret of the neighbour");
  await say(foreign.agent, foreign.stream.id, "secret of another scope");
});

const stranger = {
  status: 401,
  code: "UNAUTHENTICATED",
  message: "Invalid output credential",
  details: { reason: "unknown" },
};
const reads = ["latestOutput", "listOutputValues"] as const;

/** Tries everything a credential is for on a stream, and expects the very same refusal each time. */
async function expectStranger(who: Actor, streamId: string): Promise<void> {
  const before = outputRows(intercom());
  for (const name of reads) expect(await who.refused(name, { streamId })).toEqual(stranger);
  expect(await who.refused("listOutputValues", { streamId, waitMs: 25_000 })).toEqual(stranger);
  const value = { streamId, contentType: "text/plain", value: "hostile" };
  expect(await who.refused("publishOutput", value)).toEqual(stranger);
  expect(await who.refused("publishOutput", value, { key: "hostile" })).toEqual(stranger);
  expect(outputRows(intercom())).toEqual(before);
}

describe("a credential of one stream", () => {
  test("is nobody on another one of its scope", async () => {
    await expectStranger(everything, neighbour);
  });

  test("is nobody on a stream of another scope, and learns not even whether there is one", async () => {
    await expectStranger(everything, foreign.stream.id);
    await expectStranger(everything, "out_00000000000000000000000000000000");
  });

  test("is nobody under another scope's name", async () => {
    for (const scopeId of [foreign.scope.id, "no-such-scope"]) {
      const answer = await intercom().send(
        "latestOutput",
        { streamId: foreign.stream.id },
        { token: everything.token, scopeId },
      );
      expect(answer.status).toBe(401);
    }
  });

  test("does not read with the right to publish, nor publish with the right to read", async () => {
    for (const name of reads) expect(await publisher.refused(name, { streamId: mine.stream.id })).toEqual(stranger);
    const value = { streamId: mine.stream.id, contentType: "text/plain", value: "x" };
    expect(await reader.refused("publishOutput", value)).toEqual(stranger);
  });

  test("is worth nothing in parts, bent or dressed up", async () => {
    const [id, secret] = everything.token.split(".") as [string, string];
    const other = await issue(mine.scope, mine.stream.id, "read", "publish");
    const otherId = other.id;
    const bent = [id, secret, `${id}.`, `.${secret}`, `${otherId}.${secret}`, `${id}.${"A".repeat(43)}`];
    bent.push(everything.token.toUpperCase(), `${everything.token}.x`, everything.token.slice(0, -1));
    for (const token of bent) {
      expect(await intercom().refused("latestOutput", { streamId: mine.stream.id }, { token })).toMatchObject({
        code: "UNAUTHENTICATED",
      });
    }
  });
});

/** Operations that need a credential, and not one of a stream. */
const elsewhere = operationNames.filter((name) => {
  const { authority, framing } = operationOf(name);
  return authority !== "none" && !authority.startsWith("output-") && framing !== "a2a";
});

test.each<OperationName>(elsewhere)("%s is refused to every credential of a stream", async (name) => {
  const before = outputRows(intercom());
  for (const who of [reader, publisher, everything]) {
    const refusal = await who.refused(name, { streamId: mine.stream.id, principalId: who.id, scopeId: mine.scope.id });
    expect(["UNAUTHENTICATED", "PERMISSION_DENIED"]).toContain(refusal.code);
  }
  expect(outputRows(intercom())).toEqual(before);
});

describe("agents", () => {
  test("read nothing, not even what they publish themselves", async () => {
    for (const name of reads) {
      expect(await mine.agent.refused(name, { streamId: mine.stream.id })).toMatchObject({ code: "UNAUTHENTICATED" });
    }
  });

  test("publish nothing to streams of others, whose existence they do not learn", async () => {
    const value = { contentType: "text/plain", value: "x" };
    const before = outputRows(intercom());
    const there = await mine.agent.refused("publishOutput", { ...value, streamId: foreign.stream.id });
    const absent = await mine.agent.refused("publishOutput", {
      ...value,
      streamId: foreign.stream.id.replaceAll("1", "2"),
    });
    expect([there.status, there.code]).toEqual([404, "NOT_FOUND"]);
    expect([absent.status, absent.code]).toEqual([404, "NOT_FOUND"]);
    expect(outputRows(intercom())).toEqual(before);
  });

  test("manage nothing", async () => {
    for (const name of [
      "createOutputStream",
      "addOutputPublisher",
      "createOutputPrincipal",
      "removeOutputStream",
    ] as const) {
      expect(await mine.agent.refused(name, { streamId: mine.stream.id })).toMatchObject({ code: "PERMISSION_DENIED" });
    }
  });
});

test("the owner of one scope reaches nothing of another", async () => {
  const { scope } = mine;
  const streamId = foreign.stream.id;
  const credential = await issue(foreign.scope, streamId, "read");
  const missing = { status: 404, code: "NOT_FOUND" };
  const before = outputRows(intercom());
  for (const name of [...reads, "getOutputStream", "removeOutputStream"] as const) {
    expect(await scope.refused(name, { streamId })).toMatchObject(missing);
  }
  for (const name of ["rotateOutputPrincipal", "enableOutputPrincipal", "disableOutputPrincipal"] as const) {
    expect(await scope.refused(name, { principalId: credential.id })).toMatchObject(missing);
  }
  expect(await scope.refused("addOutputPublisher", { streamId, agentId: mine.agent.id })).toMatchObject(missing);
  expect(outputRows(intercom())).toEqual(before);
});

test("an A2A credential is nobody here, nor a stream's credential there", async () => {
  const { scope, agent, stream } = mine;
  const publication = await scope.call("publishAgentCard", { agentId: agent.id });
  const a2a = await scope.call("createA2aPrincipal", { publicationId: publication.id, label: "l" });
  const value = { streamId: stream.id, contentType: "text/plain", value: "x" };
  for (const name of reads) {
    expect(await intercom().refused(name, { streamId: stream.id }, { token: a2a.credential })).toEqual(stranger);
  }
  expect(await intercom().refused("publishOutput", value, { token: a2a.credential })).toEqual(stranger);
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }] };
  const answer = await intercom().send(
    "sendA2aMessage",
    { publicationId: publication.id, message },
    { token: everything.token },
  );
  expect(answer.status).toBe(401);
});
