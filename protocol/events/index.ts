import type { Event } from "../objects/event.ts";
import { ACTOR_ATTRIBUTE, type EventDefinition } from "./definition.ts";
import { memberEvents } from "./members.ts";
import { outsideEvents } from "./outside.ts";
import { workEvents } from "./work.ts";

export { ACTOR_ATTRIBUTE, type EventDefinition } from "./definition.ts";

/**
 * Everything that can happen. Events commit together with the change they tell of. Attributes are strings, absent when
 * empty, and never hold content or credentials. Types and attributes may be added: readers ignore what they do not know.
 */
const EVENTS = { ...memberEvents, ...workEvents, ...outsideEvents };

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

type KindOf<Type> = Type extends `${infer Kind}.${string}` ? Kind : never;
/** What events are about: the part of a type before the dot. */
export type EventKind = KindOf<EventType>;
export const EVENT_KINDS = [
  "agent",
  "connector",
  "scope",
  "link",
  "message",
  "task",
  "escalation",
  "credential",
  "output",
  "a2a",
] as const satisfies readonly EventKind[];

/** Attributes that name an agent, in whatever type of event they come. */
export const AGENT_ATTRIBUTES: ReadonlySet<string> = new Set([
  "agentId",
  "agentName",
  "claimedBy",
  "createdBy",
  "from",
  "leftAgent",
  "previousClaimedBy",
  "producerId",
  "rightAgent",
  "to",
]);

/** The part of a type before the dot, also of types that are not known yet. */
export function kindOf(type: string): string {
  return type.split(".", 1)[0] as string;
}

/** Whether an event concerns this agent: as its subject, or by an attribute that names an agent. */
export function concernsAgent({ type, subjectId, attributes }: Event, agentId: string): boolean {
  if (kindOf(type) === "agent" && subjectId === agentId) return true;
  return Object.entries(attributes).some(([name, value]) => value === agentId && AGENT_ATTRIBUTES.has(name));
}

/** What is known of a type of event, in its general form. */
export function eventDefinitionOf(type: EventType): EventDefinition {
  return EVENTS[type];
}

const isOwn = (name: string) => name !== ACTOR_ATTRIBUTE;

/** Names of the attributes each type of event may carry, besides {@link ACTOR_ATTRIBUTE}. */
export const EVENT_ATTRIBUTES = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, Object.keys(EVENTS[type].attributes.shape).filter(isOwn)]),
) as unknown as Readonly<Record<EventType, readonly string[]>>;
