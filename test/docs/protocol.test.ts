import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  A2A_TASK_STATES,
  ERROR_CODES,
  ESCALATION_STATUSES,
  EVENT_ATTRIBUTES,
  EVENT_TYPES,
  FEATURES,
  HUMAN_PARTY,
  ID_PREFIXES,
  LIMITS,
  linkRequestStatus,
  MESSAGE_STATES,
  operationNames,
  operationOf,
  REFUSAL_REASONS,
  SYSTEM_PARTY,
  TASK_STATUSES,
} from "../../protocol/index.ts";
import { eventSchemas } from "../../protocol/schema/event-schemas.ts";
import { AUTHORITY_GUIDANCE } from "../../protocol/schema/guidance.ts";
import { compileSchemas, type Json } from "../../protocol/schema/json-schema.ts";
import { drawnTransitions } from "../integration/operations/event-walk/diagrams.ts";
import { codeSpans, ROOT, read, tableBelow } from "./pages.ts";

/** The chapters written by hand must not say what the tables do not know. */

const page = (name: string) => read(`docs/protocol/${name}.md`);
const span = (text: string) => `\`${text}\``;
const WRITTEN = [
  "model",
  "calls",
  "authority",
  "idempotency",
  "state-machines",
  "compatibility",
  "threat-model",
  "security-vectors",
] as const;

/** Names of fields and words of enumerations, anywhere in the schemas. */
function words(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => words(item));
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === "properties" ? Object.keys(inner as object) : []),
    ...(key === "enum" ? (inner as string[]).map(String) : []),
    ...(key === "const" ? [String(inner)] : []),
    ...words(inner),
  ]);
}

/** Words of HTTP, JSON and the pages themselves that no table of the protocol has. */
const COMMON = new Set([
  ...[
    "ok",
    "result",
    "error",
    "null",
    "true",
    "false",
    "id",
    "data",
    "message",
    "limit",
    "start",
    "name/version",
    "health",
  ],
  ...["Authorization", "Content-Type", "Host", "Origin", "Retry-After", "Allow", "OPTIONS", "HEAD", "Idempotency-Key"],
  ...[
    "Intercom-Scope",
    "Intercom-Session",
    "HttpOnly",
    "Sec-Fetch-Site",
    "Last-Event-ID",
    "127.0.0.1",
    "localhost",
    "october-bus",
    "agent-intercom",
    "run.json",
    "VERSION",
  ],
  ...[
    "MAJOR.MINOR",
    "0.1",
    "1.0",
    "retryAfterSeconds",
    "adminToken",
    "pid",
    "address",
    "resync",
    "time",
    "notice",
    "query",
    "waits",
    "reviewer",
  ],
  // Members of error details, checked on the page of errors.
  ...[
    "issues",
    "reason",
    "allow",
    "details",
    "code",
    "status",
    "admission",
    "waiters",
    "rate",
    "host",
    "origin",
    "too_large",
  ],
]);

/** Members of the file of vectors, and placeholders in it, which its own test looks after. */
const OF_VECTORS =
  /^(vectors|why|request|raw|first|expect|statuses|indistinguishableFrom|method|path|headers|body\w*)$/;

const schemas = compileSchemas();
const vocabulary = new Set<string>([
  ...COMMON,
  ...operationNames,
  ...ERROR_CODES,
  ...REFUSAL_REASONS,
  ...EVENT_TYPES,
  ...Object.values(EVENT_ATTRIBUTES).flat(),
  ...FEATURES,
  ...Object.keys(LIMITS),
  ...Object.keys(ID_PREFIXES),
  ...Object.keys(AUTHORITY_GUIDANCE),
  ...["key", "natural", "none"],
  ...[HUMAN_PARTY, SYSTEM_PARTY],
  ...words(schemas as unknown as Json),
  ...words(eventSchemas()),
  ...drawnTransitions().flatMap((transition) => transition.split(/: | --> /)),
]);

describe.each(WRITTEN)("%s.md", (name) => {
  test("uses only words that the protocol has", () => {
    const placeholders = name === "security-vectors" ? new Set(placeholdersOf()) : new Set<string>();
    const unknown = codeSpans(page(name)).filter(
      (text) =>
        /^[A-Za-z][\w.-]*$/.test(text) &&
        !(vocabulary.has(text) || text.split(".").every((part) => vocabulary.has(part))) &&
        !placeholders.has(text) &&
        !/^(AGENT_INTERCOM|XDG)_[A-Z_]+$/.test(text) &&
        !(name === "security-vectors" && OF_VECTORS.test(text)),
    );
    expect(unknown).toEqual([]);
  });
});

/** Names of vectors and of what they ask for. */
function placeholdersOf(): string[] {
  const text = read("protocol/security-vectors.json");
  const names = [...text.matchAll(/"name": "([\w-]+)"/g)].map((match) => match[1] as string);
  const holders = [...page("security-vectors").matchAll(/`(\w+)`/g)].map((match) => match[1] as string);
  const sections = page("security-vectors").split("\n## ");
  const used = holders.filter((holder) => sections[2]?.includes(`\`${holder}\``));
  return [...names, ...used, "repeat", "times", "explicit", "__proto__"];
}

describe("idempotency.md", () => {
  test("has the class of every operation", () => {
    const rows = tableBelow(page("idempotency"), "## Every operation");
    expect(rows).toEqual(operationNames.map((name) => [span(name), span(operationOf(name).idempotency)]));
  });

  test("says how to find out after a lost answer, for exactly those that need it", () => {
    const rows = tableBelow(page("idempotency"), "## Calls of class `none`");
    const named = rows.flatMap(([names]) => (names as string).split(", "));
    const none = operationNames.filter((name) => operationOf(name).idempotency === "none");
    expect(named.toSorted()).toEqual(none.map(span).toSorted());
  });

  test("gives the lifetime and length of keys as they are", () => {
    const days = LIMITS.idempotencyLifetimeMs / 86_400_000;
    expect(page("idempotency")).toContain(`1 to ${LIMITS.idempotencyKeyBytes} bytes`);
    expect(page("idempotency")).toContain(`${days} days after`);
  });
});

describe("authority.md", () => {
  test("has every authority, and every reason of a refusal", () => {
    const rows = tableBelow(page("authority"), "## Who may what");
    expect(rows.map(([name]) => name)).toEqual(Object.keys(AUTHORITY_GUIDANCE).map(span));
    const refusals = tableBelow(page("authority"), "## Refusals")
      .map(([, heard]) => heard)
      .join("\n");
    for (const reason of REFUSAL_REASONS) expect(refusals).toContain(`reason ${span(reason)}`);
  });
});

describe("compatibility.md", () => {
  test("has every feature", () => {
    expect(tableBelow(page("compatibility"), "## Features").map(([name]) => name)).toEqual(FEATURES.map(span));
  });
});

describe("calls.md", () => {
  test("has the limits as they are", () => {
    const text = page("calls");
    for (const value of [
      `at most ${LIMITS.bodyBytes} bytes`,
      `at most ${LIMITS.waitMaxMs}.`,
      `An agent may have ${LIMITS.inboxWaitersPerAgent} of them and a scope ${LIMITS.waitersPerScope};`,
      `have ${LIMITS.waitersPerCredential}, and all of a scope together ${LIMITS.credentialWaitersPerScope}.`,
    ]) {
      expect(text).toContain(value);
    }
  });

  test("names every operation that answers in another way than most", () => {
    const text = page("calls");
    for (const name of operationNames) {
      const { framing } = operationOf(name);
      if (framing !== "envelope" && framing !== "a2a") expect(text).toContain(span(name));
    }
  });
});

describe("state-machines.md", () => {
  const drawn = drawnTransitions().map((transition) => {
    const [machine, states, label] = transition.split(": ") as [string, string, string];
    const [from, to] = states.split(" --> ") as [string, string];
    return { machine, from, to, label };
  });
  const statesOf = (machine: string) => {
    const states = drawn.filter((each) => each.machine === machine).flatMap(({ from, to }) => [from, to]);
    return [...new Set(states)].filter((state) => state !== "[*]").toSorted();
  };

  test("labels transitions with operations that may change something", () => {
    for (const { label } of drawn) {
      if (label === "time" || label === "notice") continue;
      expect(operationNames).toContain(label);
      expect(operationOf(label as (typeof operationNames)[number]).method).not.toBe("GET");
    }
  });

  test.each([
    ["Delivery", MESSAGE_STATES],
    ["Task", TASK_STATUSES],
    ["Escalation", ESCALATION_STATUSES],
    ["Link request", linkRequestStatus.options],
  ])("%s has the states of the protocol", (machine, states) => {
    expect(statesOf(machine)).toEqual([...states].toSorted());
  });

  test("A2A tasks have states of A2A", () => {
    const states = statesOf("A2A task").map((state) => state.replace("_", "-"));
    expect(states.filter((state) => !(A2A_TASK_STATES as readonly string[]).includes(state))).toEqual([]);
    const missing = A2A_TASK_STATES.filter((state) => !states.includes(state));
    for (const state of missing) expect(page("state-machines")).toContain(span(state));
  });
});

describe("threat-model.md", () => {
  const [stops = ""] = page("threat-model").split("\n## What each boundary stops\n")[1]?.split("\n## ") ?? [];

  test("names a test for every claim", () => {
    const claims = stops.split(/^(?=\*\*)/m).slice(1);
    expect(claims.length).toBeGreaterThan(10);
    for (const claim of claims) expect(claim).toMatch(/^Tests?: `[\w/.-]+\.test\.ts`/m);
  });

  test("names only tests that are there", () => {
    const files = codeSpans(stops).filter((text) => text.endsWith(".test.ts"));
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true);
  });
});
