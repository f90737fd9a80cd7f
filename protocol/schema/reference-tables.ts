import { ERROR_CODES, ERROR_STATUS } from "../errors.ts";
import { ID_PREFIXES, IDENTIFIER_PATTERN } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { ACTOR_ATTRIBUTE, EVENT_ATTRIBUTES } from "../objects/event.ts";
import { COMPATIBLE_PROTOCOLS, FEATURES, IDEMPOTENCY_HEADER, SCOPE_HEADER } from "../version.ts";
import { AUTHORITY_GUIDANCE, ERROR_GUIDANCE, IDEMPOTENCY_GUIDANCE } from "./guidance.ts";

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** What holds for every call. */
export function introduction(): string[] {
  const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
  return [
    "## Calls",
    [
      "- Credential: `Authorization: Bearer <token>`.",
      "- Path fields are URL-encoded. Fields marked `query` are query parameters; booleans are `true` or `false` there.",
      `- Fields marked \`body\` are one JSON object of at most ${LIMITS.bodyBytes} bytes. An empty body is \`{}\`.`,
      "- Unknown fields are refused with INVALID_ARGUMENT.",
      '- Success: `{"ok": true, "result": ...}`. Accept any 2xx with `ok: true`; `result` may be `null`.',
      '- Failure: `{"ok": false, "error": {"code", "message", "details"?}}`. Branch on `code`, never on `message`.',
      "- Text limits are UTF-8 bytes. Required text must hold more than white space; no text may hold NUL or lone surrogates.",
      "- A success is on disk.",
      `- \`waits\`: the call stays open up to \`waitMs\`, at most ${LIMITS.waitMaxMs} ms. Give it a timeout of 30 s or more.`,
      "- `control budget`: answered even while ordinary calls are refused with BACKPRESSURE.",
      `- \`health\` lists features (now ${listed(FEATURES)}) and compatible protocols (now ${listed(COMPATIBLE_PROTOCOLS)}).`,
    ].join("\n"),
    "### Authority",
    table(
      ["authority", "credential"],
      Object.entries(AUTHORITY_GUIDANCE).map(([name, text]) => [`\`${name}\``, text]),
    ),
    `\`${SCOPE_HEADER}\` is read with the admin token only.`,
    "### Idempotency",
    table(
      ["idempotency", "after a lost answer"],
      Object.entries(IDEMPOTENCY_GUIDANCE).map(([name, text]) => [`\`${name}\``, text]),
    ),
    `\`${IDEMPOTENCY_HEADER}\`: 1 to ${LIMITS.idempotencyKeyBytes} bytes, unique per caller, remembered for ${duration(LIMITS.idempotencyLifetimeMs)}. ` +
      "The same key with other content is CONFLICT.",
    "### Errors",
    table(
      ["code", "status", "meaning", "retry"],
      ERROR_CODES.map((code) => [
        `\`${code}\``,
        String(ERROR_STATUS[code]),
        ERROR_GUIDANCE[code].meaning,
        ERROR_GUIDANCE[code].retry,
      ]),
    ),
  ];
}

export function eventTable(): string[] {
  const code = (name: string) => `\`${name}\``;
  const rows = Object.entries(EVENT_ATTRIBUTES).map(([type, names]) => [
    code(type),
    names.map(code).join(", ") || "none",
  ]);
  return [
    "Attributes are strings, absent when empty, and never hold content or credentials. Each event may also carry " +
      `\`${ACTOR_ATTRIBUTE}\`: which owner credential acted. Types and attributes may be added.`,
    table(["type", "attributes"], rows),
  ];
}

export function idTable(): string[] {
  return [
    `Ids match \`${IDENTIFIER_PATTERN.source}\` and are compared byte by byte. Those the daemon makes are a prefix and 32 lower-case ` +
      "hexadecimal digits of a time-ordered UUID, so they sort by creation.",
    table(
      ["of", "prefix"],
      Object.entries(ID_PREFIXES).map(([kind, prefix]) => [kind, `\`${prefix}\``]),
    ),
  ];
}

export function limitTable(): string[] {
  return [
    table(
      ["limit", "value"],
      Object.entries(LIMITS).map(([name, value]) => [`\`${name}\``, quantity(name, value)]),
    ),
  ];
}

function quantity(name: string, value: number): string {
  if (name.includes("Bytes")) return `${value} bytes`;
  if (name.endsWith("Ms")) return value % 1000 === 0 ? `${value} ms (${duration(value)})` : `${value} ms`;
  return String(value);
}

/** Whole seconds or more in the largest unit that fits evenly. */
function duration(ms: number): string {
  const units = [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "min"],
  ] as const;
  const [size, unit] = units.find(([each]) => ms % each === 0) ?? [1000, "s"];
  return `${ms / size} ${unit}`;
}
