import { expect, it } from "vitest";
import { closestName } from "./closest-name.ts";

const NAMES = ["to", "text", "expectsReply", "replyTo", "idempotencyKey", "waitMs"];

it.each([
  ["reply", "expectsReply"],
  ["replyTo2", "replyTo"],
  ["txt", "text"],
  ["TEXT", "text"],
  ["wait", "waitMs"],
  ["waitMS", "waitMs"],
  ["idempotencykeys", "idempotencyKey"],
  ["idempotencyKye", "idempotencyKey"],
  ["message", undefined],
  ["x", undefined],
  ["", undefined],
  ["t".repeat(100_000), undefined],
])("%j most likely stands for %j", (given, meant) => {
  expect(closestName(given, NAMES)).toBe(meant);
});
