import type { MessageKey, Translator } from "../../../i18n/index.ts";
import { AGENT_ATTRIBUTES, EVENT_ATTRIBUTES, type EventType, kindOf } from "../../../protocol/events/index.ts";
import type { Event } from "../../../protocol/objects/event.ts";
import { HUMAN_PARTY, SYSTEM_PARTY } from "../../../protocol/objects/message.ts";
import { type Piece, richText } from "../../data/rich-text.ts";

/** Something a sentence names, and where it can be looked at. */
export interface Reference {
  readonly kind: "agent" | "task" | "message" | "question" | "you" | "system" | "other";
  readonly id: string;
}

/** An event as a sentence, in pieces; the slots stand for the references. */
export interface Sentence {
  readonly pieces: readonly Piece[];
  readonly references: Readonly<Record<string, Reference>>;
}

/** Value of an attribute that is absent, to select by. */
const ABSENT = "none";
const INSTANTS: ReadonlySet<string> = new Set(["before", "retryAt", "deferredUntil", "leaseExpiresAt"]);
const MESSAGES: ReadonlySet<string> = new Set(["responseMessageId", "busMessageId"]);

/** Kinds of events whose subject is something that has a place of its own. */
const SUBJECTS: Readonly<Record<string, Reference["kind"]>> = {
  agent: "agent",
  message: "message",
  task: "task",
  escalation: "question",
};

function isKnown(type: string): type is EventType {
  return Object.hasOwn(EVENT_ATTRIBUTES, type);
}

/** What happened, in the language of `text`. `time` writes an instant. */
export function sentenceOf(event: Event, text: Translator, time: (at: string) => string): Sentence {
  const { type, attributes } = event;
  const references = referencesOf(event);
  if (!isKnown(type)) {
    return { pieces: richText(text, "activity.event.unknown", ["subject"], { type }), references };
  }
  const key: MessageKey = `activity.event.${type}`;
  const values: Record<string, string> = { ...partyKinds(attributes) };
  for (const name of EVENT_ATTRIBUTES[type]) {
    const value = attributes[name];
    values[name] ??= value === undefined ? ABSENT : value;
    if (value !== undefined && INSTANTS.has(name)) values[name] = time(value);
  }
  return { pieces: richText(text, key, slotsOf(references), values), references };
}

/** Where the message selects by whether somebody is named, the link goes by another name. */
const SELECTED = "createdBy";

function slotsOf(references: Readonly<Record<string, Reference>>): string[] {
  return Object.keys(references).filter((name) => name !== SELECTED);
}

function referencesOf({ type, subjectId, attributes }: Event): Record<string, Reference> {
  const references: Record<string, Reference> = {
    subject: { kind: SUBJECTS[kindOf(type)] ?? "other", id: subjectId },
  };
  for (const [name, id] of Object.entries(attributes)) {
    const kind = kindOfReference(name, id);
    if (kind) references[name] = { kind, id };
  }
  const creator = references[SELECTED];
  return { ...references, createdByRef: creator ?? { kind: "you", id: HUMAN_PARTY } };
}

function kindOfReference(name: string, id: string): Reference["kind"] | undefined {
  if (name === "dependency") return "task";
  if (MESSAGES.has(name)) return "message";
  if (!AGENT_ATTRIBUTES.has(name)) return undefined;
  if (id === HUMAN_PARTY) return "you";
  return id === SYSTEM_PARTY ? "system" : "agent";
}

/** Only the first event of a message says what its parties are; the others are told by their ids. */
function partyKinds(attributes: Event["attributes"]): Record<string, string> {
  const guess = (id: string | undefined) => {
    if (id === HUMAN_PARTY) return "human";
    return id === SYSTEM_PARTY ? "system" : "agent";
  };
  return {
    fromKind: attributes.fromKind ?? guess(attributes.from),
    toKind: attributes.toKind ?? guess(attributes.to),
  };
}

/** The sentence as plain text, for names of controls and for tests. */
export function plainSentence({ pieces, references }: Sentence, name: (reference: Reference) => string): string {
  return pieces
    .map((piece) => {
      if ("text" in piece) return piece.text;
      const reference = references[piece.slot];
      return reference ? name(reference) : "";
    })
    .join("");
}
