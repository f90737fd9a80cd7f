import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { translator } from "../../i18n/index.ts";
import { desktopSettings } from "../../protocol/desktop/index.ts";
import type { Escalation } from "../../protocol/index.ts";
import { question } from "../../test/support/desktop-state.ts";
import { questionNotice } from "./content.ts";

const settings = desktopSettings.parse({}).notifications;
const t = translator("en");
const notice = (fields: Partial<Escalation>) =>
  questionNotice(question(fields), { settings, agents: {}, t, isSilent: false, isAgain: false });

describe("buttons of a notification", () => {
  it.each<[string, Partial<Escalation>, string[]]>([
    ["two options", { kind: "choice", options: ["a", "b"] }, ["a", "b"]],
    ["three options", { kind: "choice", options: ["a", "b", "c"] }, []],
    ["an option that would be cut", { kind: "choice", options: ["a", "b".repeat(40)] }, []],
    ["free text", { kind: "input" }, []],
    ["a permission: what refuses first", { kind: "permission" }, ["Deny", "Allow"]],
    ["a permission with words of its own", { kind: "permission", options: ["yes", "no"] }, ["yes", "no"]],
    ["a permission of high urgency", { kind: "permission", urgency: "high" }, []],
    ["one of those with words of its own", { kind: "permission", urgency: "high", options: ["yes", "no"] }, []],
    ["more than is shown", { kind: "permission", question: "x ".repeat(300) }, []],
    ["more that goes along", { kind: "permission", context: [{ kind: "text", title: "diff", text: "-" }] }, []],
  ])("%s", (_, fields, actions) => {
    expect(notice(fields).content.actions).toEqual(actions);
  });

  it("answer with the agent's words, whatever the label had to become", () => {
    const { content, answers } = notice({ kind: "choice", options: ["a\u202eb", "c\nd"] });
    expect(content.actions).toEqual(["a\\u{202e}b", "c d"]);
    expect(answers).toEqual(["a\u202eb", "c\nd"]);
  });

  it("only ask for words where the whole question can be read", () => {
    expect(notice({}).content.reply).toBe("Your answer");
    expect(notice({ question: "x".repeat(900) }).content.reply).toBeUndefined();
    expect(notice({ kind: "permission" }).content.reply).toBeUndefined();
  });

  it("and texts are harmless and short", () => {
    const hostile = fc.string({ unit: "binary", minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(hostile, hostile, hostile, (text, one, other) => {
        const { content } = notice({ kind: "choice", question: text, options: [one, other] });
        for (const part of [content.title, content.body, ...content.actions]) {
          expect(part).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        }
        expect(content.body.length).toBeLessThan(200 * 17);
      }),
    );
  });
});
