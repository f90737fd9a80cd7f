import { beforeAll, describe, expect, test } from "vitest";
import { type OperationName, operationNames, operationOf } from "../../../protocol/index.ts";
import { credentialsFor, fixtures, makeWorld, prepare, secretOf } from "../../support/fixtures.ts";
import { exchange, refusalOf, requestFor } from "../../support/http.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { type AuthorityWorld, CREDENTIAL_KINDS, makeAuthorityWorld, verdict } from "./authority-cases.ts";

const intercom = useDaemon();
let world: AuthorityWorld;

beforeAll(async () => {
  world = await makeAuthorityWorld(await makeWorld(intercom()));
});

/** Those of A2A refuse in A2A's own words, which tests of their own look at. */
const ours = operationNames.filter((name) => operationOf(name).framing !== "a2a");
const guarded = ours.filter((name) => operationOf(name).authority !== "none");
/** These would end the daemon or stay open; their acceptance is shown elsewhere. */
const notCalled = new Set<OperationName>(["shutdown", "watchAllEvents"]);

test("every operation has a fixture, and every fixture an operation", () => {
  expect(Object.keys(fixtures).sort()).toEqual([...operationNames].sort());
});

describe.each(ours)("%s", (name) => {
  const { authority } = operationOf(name);
  const verdicts = CREDENTIAL_KINDS.map((kind) => [kind, verdict(authority, kind)] as const);
  const refused = verdicts.filter(([, expected]) => expected !== "accepted");
  const accepted = verdicts.filter(([, expected]) => expected === "accepted");

  if (refused.length > 0)
    test("refuses whoever may not, and changes nothing then", async () => {
      const { input } = await prepare(world, name);
      const revision = await world.scope.revision();
      const heard: [string, unknown][] = [];
      for (const [kind] of refused) {
        const refusal = await intercom().refused(name, input, world.credentials[kind]);
        heard.push([kind, { code: refusal.code, ...refusal.details }]);
      }
      expect(Object.fromEntries(heard)).toEqual(Object.fromEntries(refused));
      expect(JSON.stringify(heard)).not.toContain(secretOf(world));
      expect(await world.scope.revision()).toBe(revision);
    });

  if (!notCalled.has(name))
    test("accepts whoever may", async () => {
      for (const [kind] of accepted) {
        const { input, caller } = await prepare(world, name);
        // Whoever retires is somebody of its own.
        const credentials = kind === "agent" ? { token: caller.token } : world.credentials[kind];
        const answer = await intercom().send(name, input, credentials);
        expect(answer.status, `${kind}: ${JSON.stringify(answer.body)}`).toBe(operationOf(name).status);
      }
    });
});

describe.each(guarded)("%s asks who calls before it looks at the input:", (name) => {
  const { authority, method } = operationOf(name);
  const request = requestFor(name, { unheardOf: 1 });

  test("a stranger with a body that is not JSON", async () => {
    const answer = await exchange(intercom().address, { ...request, ...(method === "GET" ? {} : { body: "{" }) });
    expect(refusalOf(name, answer).code).toBe("UNAUTHENTICATED");
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test("a stranger with unknown fields", async () => {
    expect((await intercom().refused(name, { unheardOf: 1 }, { token: "nobody" })).code).toBe("UNAUTHENTICATED");
  });

  test("somebody known with the same fields", async () => {
    const refusal = await intercom().refused(name, { unheardOf: 1 }, credentialsFor(world, authority));
    expect(refusal).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
  });
});
