import type { Translator } from "../../i18n/index.ts";
import type { LiveState } from "../../protocol/desktop/index.ts";
import { PERMISSION_ANSWERS } from "../../protocol/desktop/index.ts";
import type { Escalation } from "../../protocol/index.ts";
import { askerOf } from "../human/asker.ts";
import type { Delay } from "../human/later.ts";
import { isGrant } from "../human/permission.ts";
import { lines, menuLabel, oneLine } from "../human/plain-text.ts";
import { actionItem, type MenuItem, separator, submenu, textItem } from "./menu.ts";

const SUMMARY_WIDTH = 48;
const LINE_WIDTH = 64;
const MAX_LINES = 12;
const OPTION_WIDTH = 64;

export interface QuestionMenuOptions {
  readonly agents: LiveState["agents"];
  readonly t: Translator;
  /** False while the daemon cannot be reached. */
  readonly canAnswer: boolean;
}

/** One question as an item whose submenu has all that is needed to answer it there. */
export function questionMenu(question: Escalation, { agents, t, canAnswer }: QuestionMenuOptions): MenuItem {
  const { id, urgency } = question;
  const asker = askerOf(question, agents);
  const title = t(urgency === "high" ? "tray.question.urgent" : "tray.question", {
    who: asker.name,
    question: oneLine(question.question, SUMMARY_WIDTH),
  });
  const write = actionItem(`${id}.write`, t("tray.answer.write"), { do: "openAnswer", escalationId: id });
  const options = answers(question, t).map(([label, answer], index) =>
    actionItem(
      `${id}.option.${index}`,
      menuLabel(label),
      { do: "answer", scopeId: question.scopeId, escalationId: id, answer },
      canAnswer,
    ),
  );
  // The first thing the keyboard reaches must not let an agent do what may harm.
  const choices = isGrant(question) ? [write, ...options] : [...options, write];
  return submenu(`question.${id}`, menuLabel(title), [
    textItem(`${id}.who`, menuLabel(`${asker.name} · ${asker.place}`)),
    ...questionLines(question, t),
    separator,
    ...choices,
    separator,
    later(question, t, canAnswer),
  ]);
}

function questionLines({ id, question }: Escalation, t: Translator): MenuItem[] {
  const wrapped = lines(question, LINE_WIDTH, MAX_LINES);
  const texts = wrapped.rest ? [...wrapped.lines, t("tray.question.rest")] : wrapped.lines;
  return texts.map((line, index) => textItem(`${id}.line.${index}`, menuLabel(line)));
}

/** Label and answer. What an agent offers is its own words, and the answer is exactly those. */
function answers({ kind, options }: Escalation, t: Translator): [label: string, answer: string][] {
  if (options.length > 0) return options.map((option) => [oneLine(option, OPTION_WIDTH), option]);
  if (kind !== "permission") return [];
  return [
    [t("tray.answer.deny"), PERMISSION_ANSWERS.deny],
    [t("tray.answer.allow"), PERMISSION_ANSWERS.allow],
  ];
}

function later({ id, scopeId }: Escalation, t: Translator, canAnswer: boolean): MenuItem {
  const item = (delay: Delay, label: string): MenuItem =>
    actionItem(`${id}.later.${delay}`, label, { do: "defer", scopeId, escalationId: id, delay }, canAnswer);
  return submenu(`${id}.later`, t("tray.later"), [
    item("tenMinutes", t("tray.later.tenMinutes")),
    item("hour", t("tray.later.hour")),
    item("tomorrow", t("tray.later.tomorrow")),
  ]);
}
