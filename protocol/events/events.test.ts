import { expect, test } from "vitest";
import { z } from "zod";
import { identifier } from "../ids.ts";
import { AGENT_ATTRIBUTES, EVENT_KINDS, EVENT_TYPES, eventDefinitionOf } from "./index.ts";

/** Attributes with an id that is of something else than an agent. */
const OTHER_IDS = [
  "busMessageId",
  "connectorId",
  "dependency",
  "executionId",
  "publicationId",
  "resourceId",
  "responseMessageId",
  "responseTo",
];

test("kinds are what stands before the dot of a type", () => {
  expect(new Set(EVENT_TYPES.map((type) => type.split(".")[0]))).toEqual(new Set(EVENT_KINDS));
});

test("of each id in an event it is known whether it is an agent's", () => {
  const ids = EVENT_TYPES.flatMap((type) =>
    Object.entries(eventDefinitionOf(type).attributes.shape).flatMap(([name, schema]) => {
      const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
      return inner === identifier ? [name] : [];
    }),
  );
  expect(new Set(ids)).toEqual(new Set([...AGENT_ATTRIBUTES, ...OTHER_IDS]));
});
