import { ACTOR_ATTRIBUTE, EVENT_ATTRIBUTES, EVENT_TYPES } from "../objects/event.ts";
import type { JsonSchema } from "./json-schema.ts";

/** One schema per event type. Open: attributes and types may be added. */
export function eventSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => {
      const attributes = [...EVENT_ATTRIBUTES[type], ACTOR_ATTRIBUTE].map((name) => [name, { type: "string" }]);
      return [
        type,
        {
          allOf: [{ $ref: "#/$defs/Event" }],
          type: "object",
          properties: {
            type: { const: type },
            attributes: { type: "object", properties: Object.fromEntries(attributes) },
          },
        },
      ];
    }),
  );
}
