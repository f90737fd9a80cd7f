import { afterAll, beforeAll, expect, test } from "vitest";
import { type JsonReport, type Profile, profileNamed, runProfile, toJson } from "../../../conformance/index.ts";
import { type AnswerToChange, BrokenTarget } from "../../fixtures/broken-target.ts";
import { pauseOf } from "../../fixtures/target-clock.ts";
import { addressFor } from "../../fixtures/targets.ts";
import { TestDaemon } from "../../support/daemon.ts";
import { notYet } from "./not-yet.ts";

/** A target that does one thing otherwise than it should, and the check that finds it. */
interface Fault {
  readonly check: string;
  readonly change: (answer: AnswerToChange) => void;
  readonly request: object;
  readonly expected: unknown;
  readonly got: unknown;
}

/** A profile is a hundred calls and more, each of them to disk. */
const PATIENCE_MS = 60_000;

type Result = Record<string, unknown>;

function on(method: string, path: RegExp, change: (result: Result, answer: AnswerToChange) => void) {
  return (answer: AnswerToChange) => {
    if (answer.method !== method || !path.test(answer.path)) return;
    const { result } = answer.body as { result?: Result };
    if (result) change(result, answer);
  };
}

/** Says yes where the target said no. */
function allow(method: string, path: RegExp, code: string, result: unknown) {
  return (answer: AnswerToChange) => {
    const { error } = answer.body as { error?: { code: string } };
    if (answer.method !== method || !path.test(answer.path) || error?.code !== code) return;
    answer.status = 200;
    answer.body = { ok: true, result };
  };
}

const LOCAL_FAULTS: Readonly<Record<string, Fault>> = {
  "lets strangers make scopes": {
    check: "scope-authority",
    change: allow("POST", /^\/v1\/scopes$/, "UNAUTHENTICATED", {}),
    request: { method: "POST", path: "/v1/scopes" },
    expected: { status: 401, code: "UNAUTHENTICATED" },
    got: { status: 200 },
  },
  "shows agents to strangers": {
    check: "scope-route-authority-errors",
    change: allow("GET", /^\/v1\/agents$/, "UNAUTHENTICATED", []),
    request: { method: "GET", path: "/v1/agents" },
    expected: { status: 401, code: "UNAUTHENTICATED" },
    got: { status: 200 },
  },
  "keeps a rotated credential enabled": {
    check: "scoped-a2a-principal-credentials",
    change: on("POST", /\/principals\/[^/]+\/rotate$/, (result) => {
      Object.assign(result.principal as Result, { enabled: true });
    }),
    request: { method: "POST" },
    expected: false,
    got: true,
  },
  "does not say when a cursor is too old": {
    check: "addressable-output-streams",
    change: on("GET", /^\/outputs\/[^/]+\/values/, (result) => Object.assign(result, { resyncRequired: false })),
    request: { method: "GET" },
    expected: { resyncRequired: true, minimumCursor: 1 },
    got: { resyncRequired: false },
  },
  "lists an agent among its own peers": {
    check: "presence-and-discovery",
    change: on("GET", /^\/v1\/peers$/, (result) => {
      const list = result as unknown as Result[];
      if (list[0]?.id === "reviewer" && list[0].ready) list.push({ ...list[0], id: "planner" });
    }),
    request: { method: "GET", path: "/v1/peers" },
    expected: [{ id: "reviewer" }],
    got: [{ id: "reviewer" }, { id: "planner" }],
  },
  "makes a new message of a repeated send": {
    check: "durable-request-and-idempotency",
    change: (() => {
      let sends = 0;
      return on("POST", /^\/v1\/messages$/, (result, { requestBody }) => {
        if ((requestBody as Result).idempotencyKey !== "review-1") return;
        sends += 1;
        if (sends === 2) result.messageId = "msg_another";
      });
    })(),
    request: { method: "POST", path: "/v1/messages", body: { idempotencyKey: "review-1" } },
    expected: expect.stringMatching(/^msg_/),
    got: "msg_another",
  },
  "calls an expired message queued": {
    check: "message-expiry",
    change: on("GET", /^\/v1\/messages\//, (result) => {
      if (result.state === "expired") result.state = "queued";
    }),
    request: { method: "GET", path: expect.stringMatching(/^\/v1\/messages\/msg_/) },
    expected: "expired",
    got: "queued",
  },
  "lets a blocked task be claimed": {
    check: "task-dependencies-release-and-completion",
    change: allow("POST", /\/claim$/, "CONFLICT", {}),
    request: { method: "POST", path: expect.stringMatching(/\/claim$/), body: {} },
    expected: { status: 409, code: "CONFLICT" },
    got: { status: 200 },
  },
  "forgets who reported progress": {
    check: "durable-task-progress",
    change: on("POST", /\/progress$/, (result) => Object.assign(result, { agentId: "somebody" })),
    request: { method: "POST", body: { kind: "progress" } },
    expected: { agentId: "reviewer" },
    got: { agentId: "somebody" },
  },
  "lets an agent answer its own question": {
    check: "human-escalation-boundary",
    change: allow("POST", /\/resolve$/, "PERMISSION_DENIED", {}),
    request: { method: "POST", body: { answer: "yes" } },
    expected: { status: 403, code: "PERMISSION_DENIED" },
    got: { status: 200 },
  },
  "puts content into events": {
    check: "resumable-scope-events",
    change: on("GET", /^\/v1\/events/, (result) => {
      const sent = (result.events as Result[]).find(({ type }) => type === "message.accepted");
      if (sent) Object.assign(sent.attributes as Result, { body: "Please review the plan." });
    }),
    request: { method: "GET", path: "/v1/events?after=0&limit=100" },
    expected: null,
    got: ["body", "Please review the plan."],
  },
  "lets messages cross scopes": {
    check: "scope-isolation",
    change: (answer) => {
      if ((answer.requestBody as Result).body === "Let me in.") answer.status = 202;
    },
    request: { method: "POST", path: "/v1/messages", body: { body: "Let me in." } },
    expected: { status: 403, code: "PERMISSION_DENIED" },
    got: { status: 202 },
  },
  "has a tool too many": {
    check: "mcp-tool-surface",
    change: (answer) => {
      if (answer.path !== "/mcp" || (answer.requestBody as Result).method !== "tools/list") return;
      const { result } = answer.body as { result: { tools: Result[] } };
      result.tools.push({ ...result.tools[0], name: "format_disk" });
    },
    request: { method: "POST", path: "/mcp" },
    expected: expect.arrayContaining(["list_peers"]),
    got: expect.arrayContaining(["format_disk"]),
  },
  "takes whoever said goodbye for present": {
    check: "clean-offline-lifecycle",
    change: on("PATCH", /^\/v1\/me\/heartbeat$/, (result) => Object.assign(result, { reachable: true })),
    request: { method: "PATCH", path: "/v1/me/heartbeat", body: { lifecycle: "offline", ready: false } },
    expected: { reachable: false },
    got: { reachable: true },
  },
};

let intercom: TestDaemon;
beforeAll(async () => {
  intercom = await TestDaemon.start({ octoberBusPort: 0 });
});
afterAll(async () => {
  await intercom.close();
});

async function examine(profile: Profile, change: Fault["change"]): Promise<JsonReport> {
  const target = await BrokenTarget.start(addressFor(intercom, profile.protocol), change);
  try {
    const { adminToken } = intercom;
    const report = await runProfile(profile, { address: target.address, adminToken, pause: pauseOf(intercom) });
    expect(report.leftovers).toEqual([]);
    return toJson(report);
  } finally {
    await target.close();
  }
}

function profileOf(name: string): Profile {
  const profile = profileNamed(name);
  if (profile) return profile;
  throw new Error(`No profile ${name}`);
}

test.each(Object.entries(LOCAL_FAULTS))(
  "local-0.1 finds a target that %s",
  { timeout: PATIENCE_MS },
  async (_, fault) => {
    const report = await examine(profileOf("local-0.1"), fault.change);
    const found = report.failed.filter(({ check }) => !notYet["local-0.1"]?.includes(check));
    expect(found).toMatchObject([
      { check: fault.check, request: fault.request, expected: fault.expected, got: fault.got },
    ]);
    expect(found[0]?.error).not.toBe("");
  },
);

test("what depends on a failed check says on which, and the others go on", { timeout: PATIENCE_MS }, async () => {
  const change = on("POST", /^\/v1\/agents$/, (result) => delete result.executionId);
  const report = await examine(profileOf("local-0.1"), change);
  const registration = report.failed.find(({ check }) => check === "registration-and-peer-link");
  expect(registration).toMatchObject({ error: expect.stringContaining("executionId") });
  const dependent = report.failed.filter(({ because }) => because === "registration-and-peer-link");
  expect(dependent.map(({ check }) => check)).toContain("scope-isolation");
  expect(dependent.length).toBeGreaterThan(10);
  for (const failure of dependent) expect(failure.error).toMatch(/registration-and-peer-link/);
  expect(report.passed).toContain("scope-authority");
});

test("a target that answers nonsense fails every check and crashes none", async () => {
  const report = await examine(profileOf("local-0.1"), (answer) => {
    // So that scopes are cleared away.
    if (answer.method !== "DELETE") answer.body = "<html>Welcome</html>";
  });
  expect(report.passed).toEqual([]);
  expect(report.failed).toHaveLength(23);
  expect(report.protocolVersion).toBe("");
});

test("no credential of the run is in a report, however it came about", { timeout: PATIENCE_MS }, async () => {
  const tokens = new Set<string>([intercom.adminToken]);
  const change = (answer: AnswerToChange) => {
    for (const [, token] of JSON.stringify(answer.body).matchAll(/"(?:\w*[tT]oken|credential)":"([^"]+)"/g)) {
      tokens.add(token as string);
    }
    // An error that repeats what it was sent, and a success that has everything.
    if (answer.status >= 400) answer.body = { ok: false, error: { code: "INTERNAL", message: [...tokens].join(" ") } };
    else if (answer.path === "/v1/me/heartbeat") answer.body = { ok: true, result: [...tokens] };
  };
  const report = await examine(profileOf("local-0.1"), change);
  expect(tokens.size).toBeGreaterThan(4);
  const text = JSON.stringify(report);
  expect(text).toContain("[redacted]");
  for (const token of tokens) expect(text).not.toContain(token);
});

const ADDITION_FAULTS: Readonly<Record<string, Pick<Fault, "check" | "change">>> = {
  "does a call twice under one key": {
    check: "idempotency-key-add-task",
    change: (() => {
      let calls = 0;
      return on("POST", /^\/v1\/tasks$/, (result, { requestBody }) => {
        if ((requestBody as Result).title === "First" && ++calls) result.id = `task_${calls}`;
      });
    })(),
  },
  "takes fields it does not know": {
    check: "unknown-fields-refused",
    change: allow("POST", /^\/v1\/links$/, "INVALID_ARGUMENT", { linked: true }),
  },
  "does not keep to a limit": {
    check: "limits-of-agents",
    change: (answer) => {
      const { displayName = "" } = answer.requestBody as { displayName?: string };
      if (answer.status === 400 && Buffer.byteLength(displayName) > 256) {
        answer.status = 201;
        answer.body = { ok: true, result: {} };
      }
    },
  },
  "loses the last item of a page": {
    check: "pages-of-agents",
    change: on("GET", /^\/v1\/scope\/agents\?/, (result) => (result.agents as Result[]).pop()),
  },
  "hands out the less pressing task first": {
    check: "claim-next",
    change: on("POST", /^\/v1\/tasks\/claim-next$/, (result) => {
      if (result.title === "Urgent") result.id = "task_another";
    }),
  },
  "takes an expired question for an answered one": {
    check: "escalation-expiry-and-late-answer",
    change: on("GET", /^\/v1\/escalations\//, (result) => {
      if (result.status === "expired") result.status = "resolved";
    }),
  },
  "does not say that an answer is late": {
    check: "escalation-expiry-and-late-answer",
    change: on("GET", /^\/v1\/escalations\//, (result) => {
      if (result.resolution) Object.assign(result.resolution, { late: false });
    }),
  },
  "puts content into events": {
    check: "event-attributes",
    change: on("GET", /^\/v1\/events/, (result) => {
      const [event] = (result.events as Result[]).filter(({ type }) => type === "task.created");
      if (event) Object.assign(event.attributes as Result, { status: "content that no event may hold" });
    }),
  },
  "says it put nothing off": {
    check: "defer",
    change: on("POST", /^\/v1\/messages\/defer$/, (result) => Object.assign(result, { deferred: 0 })),
  },
  "lets an owner answer twice": {
    check: "escalation-first-answer-wins",
    change: allow("POST", /\/resolve$/, "CONFLICT", {}),
  },
  "hides why a credential is refused": {
    check: "refusal-reasons",
    change: ({ body }) => {
      const { error } = body as { error?: { details?: Result } };
      if (error?.details?.reason === "replaced") delete error.details;
    },
  },
};

test.each(Object.entries(ADDITION_FAULTS))(
  "agent-intercom-1 finds a target that %s",
  { timeout: PATIENCE_MS },
  async (_, fault) => {
    const whole = profileOf("agent-intercom-1");
    // The other checks are examined elsewhere; here it matters that this one sees the fault.
    const profile = { ...whole, checks: whole.checks.filter(({ name }) => name === fault.check) };
    const report = await examine(profile, fault.change);
    expect(report.failed).toMatchObject([{ check: fault.check, request: { method: expect.any(String) } }]);
  },
);
