import { EVENT_TYPES, eventDefinitionOf } from "../events/index.ts";
import { convert, type JsonSchema } from "./json-schema.ts";

/** One schema per event type. Open: attributes and types may be added. */
export function eventSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => {
      const { when, subject, subjectId, attributes } = eventDefinitionOf(type);
      return [
        type,
        {
          description: when,
          allOf: [{ $ref: "#/$defs/Event" }],
          type: "object",
          properties: {
            type: { const: type },
            subjectId: { ...convert(subjectId, "result").schema, description: subject },
            attributes: convert(attributes, "result").schema,
          },
        },
      ];
    }),
  );
}
