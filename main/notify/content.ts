import type { Translator } from "../../i18n/index.ts";
import type { DesktopSettings, LiveState } from "../../protocol/desktop/index.ts";
import { PERMISSION_ANSWERS } from "../../protocol/desktop/index.ts";
import type { Escalation } from "../../protocol/index.ts";
import { askerOf } from "../human/asker.ts";
import { isHighRisk } from "../human/permission.ts";
import { oneLine } from "../human/plain-text.ts";
import type { NoticeContent } from "./native.ts";

const BODY_WIDTH = 200;
const ACTION_WIDTH = 24;
const MAX_ACTIONS = 2;

/** A notification, and what its buttons answer. */
export interface QuestionNotice {
  readonly content: NoticeContent;
  /** One for each action of the content. */
  readonly answers: readonly string[];
}

export interface ContentOptions {
  readonly settings: DesktopSettings["notifications"];
  readonly agents: LiveState["agents"];
  readonly t: Translator;
  readonly isSilent: boolean;
  /** It was told of before, and waits still. */
  readonly isAgain: boolean;
}

/** The words of a notification about one question. */
export function questionNotice(question: Escalation, options: ContentOptions): QuestionNotice {
  const { settings, agents, t, isSilent, isAgain } = options;
  const { id, urgency } = question;
  const base = { id, isSilent, urgency: urgency === "high" ? "critical" : urgency } as const;
  if (!settings.showContent) {
    const hidden = { title: t("notify.hidden.title"), body: t("notify.hidden.body") };
    return { content: { ...base, ...hidden, actions: [] }, answers: [] };
  }
  const title = isAgain ? "notify.title.again" : urgency === "high" ? "notify.title.urgent" : "notify.title";
  const body = oneLine(question.question, BODY_WIDTH);
  const buttons = buttonsOf(question, t);
  const content: NoticeContent = {
    ...base,
    title: t(title, { who: askerOf(question, agents).name }),
    body,
    actions: buttons.map(([label]) => label),
    ...(question.kind === "input" && isWhole(question) ? { reply: t("notify.reply") } : {}),
  };
  return { content, answers: buttons.map(([, answer]) => answer) };
}

/** The words of one notification about several questions. */
export function digestNotice(
  id: string,
  questions: readonly Escalation[],
  { t, isSilent, wasPaused }: { readonly t: Translator; readonly isSilent: boolean; readonly wasPaused: boolean },
): NoticeContent {
  const count = questions.length;
  const agents = new Set(questions.map(({ scopeId, agentId }) => `${scopeId}/${agentId}`)).size;
  return {
    id,
    title: wasPaused ? t("notify.digest.again", { count }) : t("notify.digest.title", { count, agents }),
    body: t("notify.digest.body", { count }),
    isSilent,
    urgency: "normal",
    actions: [],
  };
}

/**
 * Label and answer. Only what can be read whole can be decided from a notification, and what may do harm only where the human
 * has it before the eyes. What refuses comes first, where the system makes the first one more than the others.
 */
function buttonsOf(question: Escalation, t: Translator): [label: string, answer: string][] {
  const { kind, options } = question;
  if (isHighRisk(question) || !isWhole(question)) return [];
  if (kind === "permission" && options.length === 0) {
    return [
      [t("tray.answer.deny"), PERMISSION_ANSWERS.deny],
      [t("tray.answer.allow"), PERMISSION_ANSWERS.allow],
    ];
  }
  if (kind === "input" || options.length === 0 || options.length > MAX_ACTIONS) return [];
  const labels = options.map((option) => oneLine(option, ACTION_WIDTH));
  const isCut = options.some((option, index) => oneLine(option, Number.MAX_SAFE_INTEGER) !== labels[index]);
  return isCut ? [] : options.map((option, index) => [labels[index] ?? option, option]);
}

/** Whether the body shows all of it. What goes along with a question is not in a notification at all. */
function isWhole({ question, context }: Escalation): boolean {
  return context.length === 0 && oneLine(question, BODY_WIDTH) === oneLine(question, Number.MAX_SAFE_INTEGER);
}
