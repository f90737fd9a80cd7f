import { type OperationName, operationNames } from "../../../protocol/index.ts";
import { compileSchemas, fieldsOf, type JsonSchema, referenceOf } from "../../../protocol/schema/json-schema.ts";
import { fixtures, prepare, type World } from "../../support/fixtures.ts";
import { columnValues } from "./snapshot.ts";

/** A place in the input of an operation that names something. */
export interface IdField {
  /** Dotted path of the field in the input. */
  readonly path: string;
  /** Last part of the path. */
  readonly name: string;
  readonly list: boolean;
}

/** Fields that refer to what other fields are named after. Others are called `somethingId` or `somethingIds`. */
const REFERS_TO: Readonly<Record<string, string>> = {
  to: "agentId",
  left: "agentId",
  right: "agentId",
  agent: "agentId",
  peer: "agentId",
  connectTo: "agentId",
  claimedBy: "agentId",
  publisherAgentIds: "agentId",
  dependencies: "taskId",
  add: "taskId",
  remove: "taskId",
  responseTo: "messageId",
};

/** Operations whose fixture has an id for a field, where other fields of that name mean something else. */
const SOURCES: Readonly<Record<string, OperationName>> = {
  "sendA2aMessage.message.taskId": "getA2aTask",
};

/** Fields that give a name to something new or to a skill; whether somebody else uses the same name must not matter either. */
const NAMES: Readonly<Record<string, string>> = {
  "registerAgent.id": "agentId",
  "createOutputStream.name": "a name",
  "sendA2aMessage.message.messageId": "a name",
  "addTask.requires": "a name",
  "updateTask.requires": "a name",
  "registerAgent.capabilities.0.name": "a name",
  "updateProfile.capabilities.0.name": "a name",
};

const schemas = compileSchemas();

/** Operations a test can call: all of them, once whoever adds one has added its fixture. */
export const callable = operationNames.filter((name) => name in fixtures);

/** Every place for an identifier in the input of an operation. */
export function idFields(name: OperationName): IdField[] {
  return placesIn(schemas.inputs[name], "");
}

function placesIn(node: JsonSchema, path: string): IdField[] {
  const reference = referenceOf(node);
  if (reference === "Identifier") return [{ path, name: path.slice(path.lastIndexOf(".") + 1), list: false }];
  if (reference !== undefined) return placesIn(schemas.definitions[reference] as JsonSchema, path);
  if (node.type === "array") {
    const inside = placesIn(node.items as JsonSchema, `${path}.0`);
    // A list of ids is a place of its own; of a list of objects it is the first one's field.
    return inside.map((each) =>
      each.path === `${path}.0` ? { path, name: path.slice(path.lastIndexOf(".") + 1), list: true } : each,
    );
  }
  return Object.entries(fieldsOf(node)).flatMap(([field, child]) =>
    placesIn(child, path === "" ? field : `${path}.${field}`),
  );
}

/** The value at a dotted path. */
export function valueAt(input: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], input);
}

/** A copy with another value at a dotted path; what is missing on the way is made, as a list where the path has a number. */
export function withValueAt(whole: unknown, path: string, value: unknown): Record<string, unknown> {
  const [first = "", ...rest] = path.split(".");
  const inside = (whole as Record<string, unknown> | undefined)?.[first];
  const inner = rest.length === 0 ? value : withValueAt(inside, rest.join("."), value);
  if (first === "0") return [inner] as unknown as Record<string, unknown>;
  return { ...(whole as object | undefined), [first]: inner };
}

/**
 * An id of the kind a field takes that exists in the world: from the operation's own fixture, where it is in the very
 * state the operation needs, otherwise from the fixture of one that takes it, otherwise from what is stored.
 * @throws when nobody knows what the field refers to
 */
export async function existing(world: World, operation: OperationName, field: IdField): Promise<string> {
  const place = `${operation}.${field.path}`;
  const named = NAMES[place];
  if (named === "a name") return world.fresh("name");
  const own = named ? undefined : valueAt((await prepare(world, operation)).input, field.path);
  const found = Array.isArray(own) ? own[0] : own;
  if (typeof found === "string") return found;
  const kind = named ?? REFERS_TO[field.name] ?? field.name.replace(/Ids$/, "Id");
  const sources = callable.filter(
    (source) => source !== operation && fieldsOf(schemas.inputs[source])[kind] !== undefined,
  );
  for (const source of SOURCES[place] ? [SOURCES[place]] : sources) {
    const value = (await prepare(world, source)).input[kind];
    if (typeof value === "string") return value;
  }
  const stored = columnValues(
    world.intercom,
    world.scope.id,
    kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  )[0];
  if (stored !== undefined) return stored;
  throw new Error(
    `${place}: nobody knows an id for it; name what it refers to in ${import.meta.filename.split("/").at(-1)}`,
  );
}

/** What goes with a field, where it means nothing without. */
export const COMPANIONS: Readonly<Record<string, (world: World) => Record<string, unknown>>> = {
  "sendMessage.responseTo": () => ({ mode: "response" }),
  "sendHumanMessage.responseTo": () => ({ mode: "response" }),
  "listMessages.peer": (world) => ({ agent: world.alice.id }),
};

/** An id like this one that nothing ever had. */
export function neverExisted(id: string, taken: ReadonlySet<string>): string {
  for (let n = 0; ; n += 1) {
    const other = id.slice(0, -4) + (0xffff - n).toString(16).padStart(4, "0");
    if (other !== id && !taken.has(other)) return other;
  }
}
