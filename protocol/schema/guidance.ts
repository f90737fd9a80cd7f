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
    meaning: "The credential is valid but may not do this.",
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

/** How a call is repeated when its answer was lost. */
export const IDEMPOTENCY_GUIDANCE: Readonly<Record<Idempotency, string>> = {
  key: `Repeat with the same \`${IDEMPOTENCY_HEADER}\`: the first result comes back. Without a key look before repeating.`,
  natural: "Repeat freely: it changes nothing twice.",
  none: "Look before repeating.",
};

export const AUTHORITY_GUIDANCE: Readonly<Record<Authority, string>> = {
  none: "No credential.",
  admin: "The admin token.",
  scope: `The scope token, or the admin token together with \`${SCOPE_HEADER}: <scope id>\`.`,
  agent: "The agent token of the current execution, its lease running.",
  "agent-expired-ok": "The agent token of the current execution, even after its lease has run out.",
  "scope-or-agent": "An agent token as for `agent`, or what `scope` takes. The agent token is tried first.",
};
