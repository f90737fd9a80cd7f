import fc from "fast-check";
import type { OperationName } from "../../../protocol/index.ts";
import { type Damage, damagesOf, inputsOf } from "./values.ts";

/** Who sends a request, seen from the world it is about. */
export const SENDERS = [
  "right",
  "nobody",
  "stranger",
  "admin",
  "admin for the scope",
  "admin for no scope",
  "owner",
  "alice",
  "bob",
  "reader",
  "publisher",
  "A2A client",
  "owner elsewhere",
  "alice elsewhere",
  "odd scheme",
] as const;
export type Sender = (typeof SENDERS)[number];

/** What is done to the target of a request that would be right. */
export const TARGET_NOISE = [
  "trailing slash",
  "double slash",
  "dot segments",
  "upper case",
  "escaped letters",
  "bad escape",
  "escaped NUL",
  "not UTF-8",
  "matrix parameter",
  "fragment",
  "long",
  "absolute",
  "more segments",
  "raw bytes",
  "backslash",
] as const;
export type TargetNoise = (typeof TARGET_NOISE)[number];

export const BODY_NOISE = [
  "cut off",
  "two values",
  "byte order mark",
  "not UTF-8",
  "a list",
  "null",
  "a word",
  "nested deeply",
  "a key twice",
  "with comments",
  "empty",
  "blank",
  "too large",
  "missing",
  "where none belongs",
] as const;
export type BodyNoise = (typeof BODY_NOISE)[number];

/** One request before it is known what there is to refer to. */
export interface Plan {
  readonly name: OperationName;
  /** `fixture`: the input is the one the tests' fixtures make for the operation. */
  readonly basis: "schema" | "fixture";
  readonly world: number;
  readonly input: Readonly<Record<string, unknown>>;
  readonly damage: Damage | undefined;
  readonly sender: Sender;
  readonly method: string | undefined;
  readonly target: TargetNoise | undefined;
  /** Appended to the query as it is. */
  readonly query: string | undefined;
  readonly body: BodyNoise | undefined;
  readonly headers: readonly (readonly [string, string])[];
  readonly chunkBytes: number | undefined;
}

const METHODS = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "QUERY",
  "SEARCH",
  "LINK",
];

const QUERIES = [
  "limit=1&limit=1",
  "after=&after=",
  "limit=1&limit=x",
  "%",
  "%zz=1",
  "a=%ff",
  "a=%00",
  "=",
  "&&&",
  "?",
  "?limit=1",
  "a[]=1",
  "a[b]=1",
  "__proto__=1",
  "__proto__[x]=1",
  "constructor=1",
  "limit=+1",
  "limit=1e1",
  "limit=0x1",
  "limit=%31",
  "limit=99999999999999999999",
  "limit",
  "unheardOf=1",
  "\u00ff=\u00ff",
  "ready=TRUE",
  "ready=1",
  `long=${"x".repeat(8000)}`,
];

const header = fc.oneof(
  { weight: 8, arbitrary: fc.nat(30).map((n): [string, string] => ["Idempotency-Key", `key-${n}`]) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(
        "",
        " ",
        "x".repeat(256),
        "x".repeat(257),
        "\u00e9".repeat(128),
        "\u00e9".repeat(129),
        "a,b",
        "\u0001",
        "{}",
        "\t",
      )
      .map((value): [string, string] => ["Idempotency-Key", value]),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom("", "no-such-scope", "x".repeat(7000), "\u00ff", "../..", "a, b", "*", "null", "__proto__")
      .map((value): [string, string] => ["Intercom-Scope", value]),
  },
  {
    weight: 12,
    arbitrary: fc.constantFrom<[string, string]>(
      ["Content-Type", "text/plain"],
      ["Content-Type", "application/json; charset=utf-16"],
      ["Content-Type", ""],
      ["Content-Type", "application/json, application/json"],
      ["Accept", "text/html"],
      ["Accept", "\u00ff"],
      ["Accept-Encoding", "gzip, br"],
      ["Origin", "https://evil.example"],
      ["Origin", "null"],
      ["Host", "evil.example"],
      ["Host", ""],
      ["Last-Event-ID", "x"],
      ["Last-Event-ID", "0"],
      ["Last-Event-ID", "999999999999999999"],
      ["X-Forwarded-For", "1.2.3.4"],
      ["X-HTTP-Method-Override", "DELETE"],
      ["Connection", "close"],
      ["Connection", "keep-alive, Upgrade"],
      ["Upgrade", "websocket"],
      ["Expect", "100-continue"],
      ["Cookie", "a=b"],
      ["If-None-Match", "*"],
      ["If-Modified-Since", "yesterday"],
      ["Content-Encoding", "gzip"],
      ["Range", "bytes=0-1"],
      ["Authorization", "Bearer twice"],
      ["__proto__", "x"],
      ["X-Empty", ""],
      ["Content-MD5", "x"],
      ["TE", "trailers"],
      ["Sec-Fetch-Site", "cross-site"],
    ),
  },
);

/** `undefined` most of the time, but once in about `oneIn` times. */
function sometimes<T>(oneIn: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

function plansOf(name: OperationName): fc.Arbitrary<Plan> {
  return fc.record<Plan>({
    name: fc.constant(name),
    basis: fc.oneof(
      { weight: 5, arbitrary: fc.constant("schema" as const) },
      { weight: 1, arbitrary: fc.constant("fixture" as const) },
    ),
    world: fc.nat(1000),
    input: inputsOf(name),
    damage: sometimes(4, damagesOf(name)),
    sender: fc.oneof(
      { weight: 5, arbitrary: fc.constant<Sender>("right") },
      { weight: 1, arbitrary: fc.constantFrom<Sender>(...SENDERS) },
    ),
    method: sometimes(25, fc.constantFrom(...METHODS)),
    target: sometimes(20, fc.constantFrom<TargetNoise>(...TARGET_NOISE)),
    query: sometimes(20, fc.constantFrom(...QUERIES)),
    body: sometimes(20, fc.constantFrom<BodyNoise>(...BODY_NOISE)),
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constant<[string, string][]>([]) },
      { weight: 1, arbitrary: fc.array(header, { minLength: 1, maxLength: 2 }) },
    ),
    chunkBytes: sometimes(15, fc.constantFrom(1, 7, 4096)),
  });
}

/** These do their work in a thread of their own, which takes a hundred times longer to start than another call takes. */
export const SLOW: ReadonlySet<OperationName> = new Set([
  "storageSummary",
  "pruneScope",
  "exportScope",
  "importScope",
  "backup",
]);

/**
 * Requests to all of these operations, the same for the same seed and block.
 * @param names operations to choose from, each as often as the others, but for the slow ones
 */
export function planBlocks(names: readonly OperationName[], seed: number, size: number): (block: number) => Plan[] {
  const plan = fc.oneof(...names.map((name) => ({ weight: SLOW.has(name) ? 1 : 40, arbitrary: plansOf(name) })));
  return (block) => fc.sample(plan, { seed: seed + block, numRuns: size });
}
