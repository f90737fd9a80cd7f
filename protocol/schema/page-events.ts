import { ACTOR_ATTRIBUTE, EVENT_ATTRIBUTES, EVENT_TYPES, type EventType, eventDefinitionOf } from "../events/index.ts";
import { convert, fieldsOf, type JsonSchema, requiredOf } from "./json-schema.ts";
import { code, page, table } from "./markdown.ts";
import { described } from "./type-text.ts";

/** The page of everything that is recorded. */
export function eventsPage(): string {
  const blocks = [
    "Everything that happens in a scope is recorded as an [Event](#type-event), in the same transaction as the change it tells " +
      "of: a change without its event, or an event without its change, does not exist. A call that is refused or repeated " +
      "records nothing. Which call records which event: [state machines](state-machines.md). The same as data: " +
      "[events.json](../../protocol/generated/schemas/events.json), one JSON Schema for each type.",
    [
      "- `revision` counts the events of a scope from 1, without gaps. It is the cursor of " +
        "[listEvents](operations.md#op-listevents).",
      "- `subjectId` names what the event is about.",
      "- `attributes` are texts: numbers in decimal digits, flags as `true` or `false`, instants as everywhere. One that has " +
        "nothing to say is absent. `?` marks those that may be.",
      `- \`${ACTOR_ATTRIBUTE}\` may come with any event: \`scope\` when the owner acted by scope token, \`owner\` by the admin ` +
        "token. Agents are named by attributes of their own.",
      "- No event ever holds content or credentials: no body, title, question, answer, note, label or value.",
      "- Types, attributes and values of enumerations may be added. Ignore what you do not know.",
    ].join("\n"),
    "## Reading",
    "[listEvents](operations.md#op-listevents) gives one scope's events to its owner, oldest first, and waits for the next one " +
      "if asked to. Hand `nextRevision` back as `after`. With `resyncRequired` some events after the cursor are gone: read the " +
      "resources themselves, then go on at `nextRevision`.",
    "[watchAllEvents](operations.md#op-watchallevents) streams the events of every scope to the holder of the admin token. " +
      "Its positions are daemon-wide sequence numbers, which may have gaps.",
    "## Types",
    ...EVENT_TYPES.flatMap(eventBlocks),
  ];
  return page("Events", blocks).replaceAll("](#type-", "](objects.md#type-");
}

function eventBlocks(type: EventType): string[] {
  const { when, subject, attributes } = eventDefinitionOf(type);
  const schema = convert(attributes, "result").schema;
  const rows = EVENT_ATTRIBUTES[type].map((name) => [
    `${code(name)}${requiredOf(schema).includes(name) ? "" : "?"}`,
    described(fieldsOf(schema)[name] as JsonSchema),
  ]);
  return [
    `### <a id="event-${type.replaceAll(/\W/g, "-")}"></a>${type}`,
    `${when} \`subjectId\`: ${subject.charAt(0).toLowerCase()}${subject.slice(1)}`,
    ...(rows.length > 0 ? [table(["attribute", "type"], rows)] : ["No attributes of its own."]),
  ];
}
