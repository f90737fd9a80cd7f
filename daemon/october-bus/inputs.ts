import { z } from "zod";
import type { OperationName } from "../../protocol/index.ts";
import type { Fields } from "../http/index.ts";

/**
 * Drops the optional fields of an input, however deep, that hold null or an empty text. Clients of 0.1 leave a field out
 * or send it empty, as their language has it; both mean the same.
 */
export function withoutEmpty(schema: z.ZodObject, input: Fields): Fields {
  const kept: [name: string, value: unknown][] = [];
  for (const [name, value] of Object.entries(input)) {
    const field: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (field instanceof z.ZodOptional && (value === null || value === "")) continue;
    kept.push([name, inside(field, value)]);
  }
  return Object.fromEntries(kept);
}

function inside(schema: unknown, value: unknown): unknown {
  const inner: unknown = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => inside(inner.element, item));
  if (inner instanceof z.ZodObject && typeof value === "object" && value !== null) {
    return Array.isArray(value) ? value : withoutEmpty(inner, value as Fields);
  }
  return value;
}

/** Where a field means something else in 0.1 than in the table, or has a default there. */
const adaptations: Readonly<Partial<Record<OperationName, (input: Fields) => Fields>>> = {
  // Whoever speaks 0.1 knows no messages but those of agents.
  registerAgent: (input) => ({ notices: false, ...input }),
  heartbeat: (input) => ({ ...input, ready: input.ready ?? false }),
  acknowledgeMessages: (input) => ({ ...input, messageIds: input.messageIds ?? [] }),
  // `ready=false` asks for all tasks there.
  listTasks: ({ ready, ...others }) => (ready === undefined || ready === false ? others : { ...others, ready }),
  createOutputStream: ({ retentionLimit, ...others }) => (retentionLimit ? { ...others, retentionLimit } : others),
};

export function adaptFields(name: OperationName, input: Fields): Fields {
  return adaptations[name]?.(input) ?? input;
}
