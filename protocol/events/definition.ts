import { z } from "zod";
import { oneOf } from "../fields.ts";
import { identifier } from "../ids.ts";

/** Attribute every event may carry besides its own: which owner credential acted (`scope` token or admin as `owner`). */
export const ACTOR_ATTRIBUTE = "actor";
const actor = { [ACTOR_ATTRIBUTE]: oneOf(["scope", "owner"]).optional() };

/** What is known of one type of event. */
export interface EventDefinition<Attributes extends z.ZodObject = z.ZodObject> {
  /** When it happens. */
  readonly when: string;
  /** What `subjectId` names. */
  readonly subject: string;
  readonly subjectId: z.ZodType<string>;
  /** Texts, each present unless optional. */
  readonly attributes: Attributes;
}

/** An event whose subject is a resource with an identifier, unless told otherwise. */
export function eventDefinition<const Shape extends z.ZodRawShape>(
  definition: Omit<EventDefinition, "attributes" | "subjectId"> & {
    readonly subjectId?: z.ZodType<string>;
    readonly attributes: Shape;
  },
): EventDefinition<z.ZodObject<Shape & typeof actor>> {
  return { subjectId: identifier, ...definition, attributes: z.object({ ...definition.attributes, ...actor }) };
}

/** Attributes are texts. These are the forms that other texts than identifiers and instants have. */
export const wholeNumber = z
  .string()
  .regex(/^(0|[1-9][0-9]*)$/)
  .meta({ "x-form": "whole number" });

export const yesOrNo = z.enum(["true", "false"]);
