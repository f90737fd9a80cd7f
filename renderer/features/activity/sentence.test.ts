import { describe, expect, test } from "vitest";
import { translator } from "../../../i18n/index.ts";
import { EVENT_ATTRIBUTES, EVENT_TYPES, eventDefinitionOf } from "../../../protocol/events/index.ts";
import { eventOf } from "../../testing/fake-source.ts";
import { plainSentence, type Reference, sentenceOf } from "./sentence.ts";

const name = ({ id }: Reference) => id;
const say = (type: string, attributes: Record<string, string>, locale: "en" | "de" = "en", subject = "SUBJECT") =>
  plainSentence(
    sentenceOf(eventOf(type, subject, attributes), translator(locale), (at) => `at ${at}`),
    name,
  );

/** A text each attribute accepts, found by trying. */
function valueFor(type: (typeof EVENT_TYPES)[number], attribute: string): string {
  const schema = eventDefinitionOf(type).attributes.shape[attribute];
  const options = (schema as { options?: string[]; unwrap?: () => { options?: string[] } } | undefined) ?? {};
  const [choice] = options.options ?? options.unwrap?.().options ?? [];
  const candidates = [choice, `the-${attribute}`, "2026-01-31T12:00:00.000Z", "7", "true", "read"];
  return candidates.find((value) => value !== undefined && schema?.safeParse(value).success) ?? "";
}

describe.each(["en", "de"] as const)("in %s", (locale) => {
  test.each(EVENT_TYPES)("%s is a sentence, with all of its attributes and with none", (type) => {
    const full = Object.fromEntries(EVENT_ATTRIBUTES[type].map((attribute) => [attribute, valueFor(type, attribute)]));
    for (const attributes of [full, {}]) {
      const sentence = say(type, attributes, locale);
      expect(sentence.length).toBeGreaterThan(8);
      expect(sentence).not.toMatch(/[{}\uE000]|undefined/);
      expect(sentence).not.toContain(type);
    }
  });

  test("what a newer daemon tells is told as it comes", () => {
    expect(say("moon.landed", { where: "here" }, locale)).toBe("moon.landed: SUBJECT");
  });
});

test("sentences choose their words by what happened", () => {
  const between = { from: "ada", fromKind: "agent", to: "bob", toKind: "agent", mode: "request", state: "queued" };
  expect(say("message.accepted", between)).toBe("ada asked bob: SUBJECT");
  expect(say("message.accepted", { ...between, from: "human", fromKind: "human", mode: "notify" })).toBe(
    "You wrote to bob: SUBJECT",
  );
  expect(say("task.created", { status: "open" })).toBe("You added SUBJECT");
  expect(say("task.created", { createdBy: "ada", status: "open" })).toBe("ada added SUBJECT");
  expect(say("agent.lifecycle_changed", { lifecycle: "needs_input", ready: "false" })).toBe("SUBJECT needs you");
  expect(say("agent.lifecycle_changed", { lifecycle: "offline", ready: "false", reason: "retired" })).toBe(
    "SUBJECT said goodbye",
  );
  expect(say("message.deferred", { ...between, retryAt: "2026-01-31T12:00:00.000Z" }, "de")).toBe(
    "bob will SUBJECT von ada um at 2026-01-31T12:00:00.000Z noch einmal",
  );
});

test("what a sentence names can be looked at", () => {
  const event = eventOf("task.dependency_completed", "t1", { dependency: "t0", ready: "true" });
  const { references } = sentenceOf(event, translator("en"), String);
  expect(references.subject).toEqual({ kind: "task", id: "t1" });
  expect(references.dependency).toEqual({ kind: "task", id: "t0" });
});

test("hostile text in an attribute is neither a message nor a mark", () => {
  expect(say("moon.{0}", {}, "en", "<b>{x}")).toBe("moon.{0}: <b>{x}");
});
