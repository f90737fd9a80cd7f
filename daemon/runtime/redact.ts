/** What stands in a log instead of a secret or of somebody's words. */
export const REDACTED = "[redacted]";

/** Field names, in lower case, whose values never enter a log: credentials, and what people and agents wrote. */
const SECRET_KEYS = new Set(["authorization", "cookie", "password", "secret", "credential", "credentials", "env"]);
const CONTENT_KEYS = new Set(
  ["body", "answer", "question", "text", "note", "options", "context", "description", "title", "summary"].concat([
    "reason_text",
    "deadletterreason",
    "cancelreason",
    "input",
    "params",
    "content",
  ]),
);
const SECRET_SUFFIX = /(token|secret|password|authorization|cookie)s?$/;

/** A bearer token of ours: 32 bytes in base64url, not part of a longer word. */
const BEARER_TOKEN = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g;
const BEARER_HEADER = /\bBearer\s+\S+/gi;

const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;
const MAX_STRING = 8192;

function isPrivateKey(key: string): boolean {
  const lower = key.toLowerCase();
  return SECRET_KEYS.has(lower) || CONTENT_KEYS.has(lower) || SECRET_SUFFIX.test(lower);
}

/** Removes credentials that stand inside a text. */
export function redactText(value: string): string {
  const bounded = value.length > MAX_STRING ? `${value.slice(0, MAX_STRING)}... (${value.length} characters)` : value;
  return bounded.replace(BEARER_HEADER, `Bearer ${REDACTED}`).replace(BEARER_TOKEN, REDACTED);
}

/** A copy of `fields` that is safe to write: private keys and token-like texts replaced, circles and depth cut, errors spelt out. */
export function redactFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return copyObject(fields, 0, new Set());
}

function copyObject(source: object, depth: number, seen: Set<object>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source).slice(0, MAX_ENTRIES)) {
    if (value === undefined) continue;
    copy[key] = isPrivateKey(key) ? REDACTED : copyValue(value, depth + 1, seen);
  }
  return copy;
}

function copyValue(value: unknown, depth: number, seen: Set<object>): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "invalid date" : value.toISOString();
  if (depth > MAX_DEPTH) return "[too deep]";
  if (seen.has(value)) return "[circular]";
  seen.add(value);
  try {
    if (value instanceof Error) return copyError(value, depth, seen);
    if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => copyValue(entry, depth + 1, seen));
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    return copyObject(value, depth, seen);
  } finally {
    seen.delete(value);
  }
}

function copyError(error: Error, depth: number, seen: Set<object>): Record<string, unknown> {
  const { code } = error as NodeJS.ErrnoException;
  return {
    name: error.name,
    ...(code === undefined ? {} : { code }),
    message: redactText(error.message),
    ...(error.stack ? { stack: redactText(error.stack) } : {}),
    ...(error.cause === undefined ? {} : { cause: copyValue(error.cause, depth + 1, seen) }),
  };
}
