import { readFileSync } from "node:fs";
import { join } from "node:path";
import { operationOf } from "../../../../protocol/index.ts";
import type { AnyCall } from "./stage.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: Schema;
  readonly not?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const FILE = join(import.meta.dirname, "../../../../protocol/generated/schemas/inputs.json");
const inputs = (JSON.parse(readFileSync(FILE, "utf8")) as { $defs: Record<string, Schema> }).$defs;

/** A call that does nothing, and why. */
export interface FailingCall extends Pick<AnyCall, "name" | "input" | "credentials"> {
  readonly why: string;
  /** May answer with success, when the resource it names is not there. */
  readonly mayBeAbsent?: true;
}

/** Ids these give are new ones. */
const NEW_IDS: Readonly<Record<string, string>> = {
  createScope: "id",
  registerAgent: "id",
  createOutputStream: "name",
  createConnector: "agentName",
};

const isIdentifier = (schema: Schema | undefined) => schema?.$ref?.endsWith("/Identifier") === true;

function wrongFor(value: unknown): unknown {
  return typeof value === "object" && !Array.isArray(value) ? "text" : { of: "another kind" };
}

/** Ways in which a call that works fails: the wrong caller, and each field missing, of another kind, or naming nothing. */
export function failingCalls({ name, input, credentials }: AnyCall): FailingCall[] {
  const { properties = {}, required = [] } = inputs[name] as Schema;
  const calls: FailingCall[] = [
    { why: "a stranger", name, input, credentials: { ...credentials, token: "nobody" } },
    { why: "an unknown field", name, input: { ...input, unheardOf: 1 }, credentials },
  ];
  if (operationOf(name).authority !== "none") calls.push({ why: "no credential", name, input, credentials: {} });
  for (const [field, value] of Object.entries(input)) {
    const schema = properties[field];
    const change = (why: string, changed: unknown, mayBeAbsent?: true) =>
      calls.push({
        why: `${field} ${why}`,
        name,
        input: { ...input, [field]: changed },
        credentials,
        ...(mayBeAbsent ? { mayBeAbsent } : {}),
      });
    if (!operationOf(name).path.includes(`{${field}}`)) {
      change("of another kind", schema?.not ? null : wrongFor(value));
      if (required.includes(field)) change("missing", undefined);
    }
    if (NEW_IDS[name] === field) continue;
    if (isIdentifier(schema)) change("naming nothing", "no-such-thing", true);
    else if (isIdentifier(schema?.items)) change("naming nothing", ["no-such-thing"], true);
  }
  // Each reads a whole file in a thread of its own; what else may be wrong with one has tests of its own.
  return operationOf(name).transfer === "upload" ? calls.slice(0, 4) : calls;
}
