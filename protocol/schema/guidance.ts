import type { ErrorCode } from "../errors.ts";
import type { Authority, Idempotency } from "../operation.ts";
import { IDEMPOTENCY_HEADER, SCOPE_HEADER } from "../version.ts";

/** What a code means, and what a client does about it. */
export const ERROR_GUIDANCE: Readonly<Record<ErrorCode, { readonly meaning: string; readonly retry: string }>> = {
  INVALID_ARGUMENT: {
    meaning: "The input breaks a rule. `details.issues` lists `{field, problem}` where fields are at fault.",
    retry: "Never unchanged.",
  },
  UNAUTHENTICATED: {
    meaning:
      "The credential is missing, unknown, expired or no longer current. `details.reason` says which, where known.",
    retry: "Not with this credential. An agent registers again, unless another execution has replaced it.",
  },
  PERMISSION_DENIED: {
    meaning:
      "The credential is valid but may not do this, or the request came for another Host or from a page of another Origin.",
    retry: "Not before the owner has changed something, such as a link.",
  },
  NOT_FOUND: {
    meaning: "No such resource for this caller, or no such route.",
    retry: "Never unchanged.",
  },
  METHOD_NOT_ALLOWED: {
    meaning: "The path exists with other methods; `Allow` lists them.",
    retry: "Never.",
  },
  CONFLICT: {
    meaning: "The resource is in another state, or the idempotency key belongs to other content.",
    retry: "Read the resource, then decide. Never with the same key and other content.",
  },
  BACKPRESSURE: {
    meaning: "A limit is full: requests in flight, waiters, stored messages, tasks or questions.",
    retry: "After `Retry-After` seconds if given, otherwise with growing, jittered delays.",
  },
  INTERNAL: {
    meaning: "A defect or unavailable storage. Whether the change was made is not known.",
    retry: "As the operation's idempotency allows, with growing, jittered delays.",
  },
};

/** Codes any call may answer, and who answers them. They are those of `commonErrors`. */
export const EVERY_CALL: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_ARGUMENT: "Every call.",
  UNAUTHENTICATED: "Every call but those of authority `none`. It comes before any complaint about the input.",
  PERMISSION_DENIED:
    "Every call, by its `Host` or `Origin`. Where a scope's own credential is asked for: a valid credential of another kind.",
  NOT_FOUND:
    "Calls of authority `scope`, `scope-or-agent` and those on outputs: what they name is not in the scope, or the scope " +
    "named by the admin does not exist.",
  METHOD_NOT_ALLOWED: "A known path with another method.",
  CONFLICT: "Calls with an idempotency key: it was used for other content.",
  BACKPRESSURE: "Every call.",
  INTERNAL: "Every call.",
};

/** What is known beside a code: code, member of `details`, meaning. */
export const ERROR_DETAILS: readonly (readonly [code: ErrorCode, details: string, meaning: string])[] = [
  ["INVALID_ARGUMENT", "`issues`", "Up to ten of `{field, problem}`; `field` is a dotted path."],
  ["INVALID_ARGUMENT", "`reason`: `too_large`", "The body is larger than allowed. The connection is closed."],
  [
    "UNAUTHENTICATED",
    "`reason`: `missing`",
    "There is no bearer token in the request, nor both secrets of a browser session.",
  ],
  ["UNAUTHENTICATED", "`reason`: `unknown`", "Nobody's token, or not one of the kind this call takes."],
  [
    "UNAUTHENTICATED",
    "`reason`: `expired`",
    "The lease of the execution has run out: register again. Or the time of a browser session or sign-in link has.",
  ],
  [
    "UNAUTHENTICATED",
    "`reason`: `retired`",
    "The execution has been ended. Register again, if the agent is still wanted.",
  ],
  [
    "UNAUTHENTICATED",
    "`reason`: `replaced`",
    "Another execution, or another connection of the same session, has taken the agent over. Do not register again by itself.",
  ],
  ["UNAUTHENTICATED", "`reason`: `used`", "A sign-in link that has signed somebody in already."],
  ["PERMISSION_DENIED", "`reason`: `host`", "The `Host` header names something else than this machine's loopback."],
  ["PERMISSION_DENIED", "`reason`: `origin`", "A page of another origin asks, and is not allowed to here."],
  ["PERMISSION_DENIED", "`missing`", "Capabilities the agent lacks for the task."],
  ["METHOD_NOT_ALLOWED", "`allow`", "Methods the path knows."],
  ["CONFLICT", "`status` or `state`", "What the resource is instead of what the call needs."],
  ["CONFLICT", "`claimedBy`", "Who has claimed the task."],
  ["CONFLICT", "`answeredAt`, `by`, `surface`", "When, by whom and where the question was answered first."],
  ["CONFLICT", "`cancelledAt`", "When the question was taken back."],
  ["CONFLICT", "`messageId`", "The message this idempotency key belongs to."],
  ["CONFLICT", "`streamId` or `publicationId`", "What is there already."],
  ["CONFLICT", "`dependency`", "The dependency that would close a circle."],
  ["CONFLICT", "`reason`: `running`", "An agent of the scope is running; the export needs `whileRunning`."],
  ["CONFLICT", "`reason`: `pruning`", "Another call is removing from the same scope."],
  ["BACKPRESSURE", "`reason`: `admission`", "Too many requests are in flight. `Retry-After` says when to try again."],
  ["BACKPRESSURE", "`reason`: `rate`", "The caller has used up this minute; `retryAfterSeconds`, as in `Retry-After`."],
  ["BACKPRESSURE", "`reason`: `waiters`", "Too many calls of this agent or scope wait already."],
  ["BACKPRESSURE", "`limit`", "The bound that is full. Others have to deal with something first."],
  ["BACKPRESSURE", "`messageLimit`, `byteLimit`", "What one A2A credential may have unfinished."],
  ["INTERNAL", "`reason`: `storage_full`", "Nothing was accepted. Somebody has to free disk space."],
  ["INTERNAL", "`reason`: `storage_unavailable`", "Nothing was accepted."],
  ["INTERNAL", "`reason`: `stopping`", "The daemon is stopping. Call again once it is back."],
];

/** How a call is repeated when its answer was lost. */
export const IDEMPOTENCY_GUIDANCE: Readonly<Record<Idempotency, string>> = {
  key: `Repeat with the same \`${IDEMPOTENCY_HEADER}\`: the first result comes back. Without a key look before repeating.`,
  natural: "Repeat freely: it changes nothing twice.",
  none: "Look before repeating.",
};

export const AUTHORITY_GUIDANCE: Readonly<Record<Authority, string>> = {
  none: "No credential.",
  admin: "The admin token, or the session of a browser the user has signed in.",
  scope: `The scope token, or what \`admin\` takes together with \`${SCOPE_HEADER}: <scope id>\`.`,
  agent: "The agent token of the current execution, its lease running.",
  "agent-expired-ok": "The agent token of the current execution, even after its lease has run out.",
  "scope-or-agent": "An agent token as for `agent`, or what `scope` takes. The agent token is tried first.",
  "output-publish":
    "An agent token as for `agent`, of an agent the stream names as publisher; else an enabled credential that may publish to the stream.",
  "output-read": "What `scope` takes, else an enabled credential that may read the stream.",
  a2a: "An enabled credential of the publication, itself enabled.",
  connector: "The secret of an enabled connector.",
};
