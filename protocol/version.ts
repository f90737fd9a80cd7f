/** Name under which a daemon introduces itself on its default listener. */
export const PROTOCOL_NAME = "agent-intercom";

/** Version of this protocol. Additions keep it; a change that could break a client raises it. */
export const PROTOCOL_VERSION = "1.0";

/** Other public protocols this one is a superset of: their clients work unchanged. */
export const COMPATIBLE_PROTOCOLS = ["october-bus/0.1"] as const;

/** Optional behaviour a client may rely on once `/health` lists it. */
export const FEATURES = [
  "session-retirement",
  "idempotency-keys",
  "escalation-wait",
  "human-messages",
  "open-links",
  "claim-next",
  "owner-scope-header",
  "outputs",
  "a2a",
  "mcp",
  "connectors",
  "archives",
  "archive-extensions",
  "retention",
  "backup",
  "ui",
] as const;

/** Port the daemon listens on unless told otherwise. */
export const DEFAULT_PORT = 4766;

/** Header in which the admin credential names the scope it acts as owner of. */
export const SCOPE_HEADER = "Intercom-Scope";

/** Header with the proof of a browser that is signed in; it counts together with the cookie of that session only. */
export const SESSION_HEADER = "Intercom-Session";

/** Header that makes a creating or deciding call safe to repeat. */
export const IDEMPOTENCY_HEADER = "Idempotency-Key";
