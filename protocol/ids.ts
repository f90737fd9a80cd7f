import { z } from "zod";
import { LIMITS } from "./limits.ts";

/** Identifiers are compared byte by byte; case matters. */
export const IDENTIFIER_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/;

/** Prefixes of generated ids; each is followed by 32 lower-case hex digits of a time-ordered UUID. */
export const ID_PREFIXES = {
  scope: "scope_",
  agent: "agent_",
  connector: "conn_",
  execution: "exec_",
  message: "msg_",
  reservation: "res_",
  task: "task_",
  escalation: "ask_",
  event: "evt_",
  linkRequest: "lreq_",
  publication: "pub_",
  credential: "cred_",
  outputStream: "out_",
  a2aTask: "a2at_",
  a2aContext: "a2ac_",
  daemon: "dmn_",
  uiSession: "uis_",
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

export const identifier = z
  .string({ error: "expected an identifier" })
  .regex(IDENTIFIER_PATTERN, {
    error: `expected an identifier: 1 to ${LIMITS.identifierLength} characters of A-Z a-z 0-9 _ . : - that begin with a letter or digit`,
  })
  .meta({ id: "Identifier", description: "Byte-exact, case-sensitive name of a resource." });

/** What of a name an identifier may have, at most `length` characters of it; may be empty. */
export function toIdentifier(name: string, length: number): string {
  return name
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, length)
    .replace(/[^A-Za-z0-9]+$/, "");
}

/** RFC 3339 instant in UTC with milliseconds. */
export const instant = z.iso
  .datetime({ precision: 3 })
  .meta({ id: "Instant", description: "RFC 3339 UTC instant with milliseconds." });

/** Milliseconds since the epoch that can be written as an {@link instant}: the years 0 to 9999 in UTC. */
const [FIRST_INSTANT, LAST_INSTANT] = [Date.parse("0000-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/** RFC 3339 instant as a caller may write it: any precision, any offset. */
export const anyInstant = z.iso
  .datetime({ offset: true, error: "expected an RFC 3339 instant such as 2026-01-31T12:00:00Z" })
  .refine((value) => Date.parse(value) >= FIRST_INSTANT && Date.parse(value) <= LAST_INSTANT, {
    error: "expected an instant in the years 0000 to 9999 of UTC",
  })
  .meta({ description: "RFC 3339 instant." });
