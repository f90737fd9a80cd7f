import type { Event } from "../../protocol/index.ts";
import type { Printer } from "./printer.ts";
import { escapeForTerminal, indent } from "./text.ts";
import { clockTime } from "./time.ts";

type Attributes = Readonly<Record<string, string>>;

const SURFACES: Readonly<Record<string, string>> = {
  tray: "in the tray",
  window: "in the window",
  notification: "as a notification",
  cli: "on the command line",
};

const VERDICTS: Readonly<Record<string, string>> = {
  shown: "shown",
  seen: "seen",
  suppressed_visible: "not shown, being on screen already,",
  suppressed_paused: "not shown, notifications being paused,",
  suppressed_disabled: "not shown, notifications being off,",
  digest: "shown together with others",
  os_denied: "not shown, the system forbidding it,",
  failed: "could not be shown",
  dismissed: "dismissed",
  withdrawn: "taken away",
};

interface When {
  /** When it is told, ms since the epoch, and when it happened. */
  readonly now: number;
  readonly at: string;
}

const HAPPENED: Readonly<Record<string, (attributes: Attributes, when: When) => string>> = {
  "escalation.created": ({ agentId = "" }) => `asked by ${agentId}`,
  "escalation.shown": ({ verdict = "", surface = "" }) =>
    `${VERDICTS[verdict] ?? verdict} ${SURFACES[surface] ?? surface}`,
  "escalation.deferred": ({ deferredUntil = "" }, { now, at }) =>
    deferredUntil === at ? "brought back" : `put off until ${clockTime(deferredUntil, now)}`,
  "escalation.resolved": ({ by, surface, late }) => `answered (${by}, ${surface}${late === "true" ? ", late" : ""})`,
  "escalation.answer_read": ({ by }) =>
    by === "inbox" ? "the agent got the answer with its inbox" : "the agent read the answer",
  "escalation.answer_withdrawn": () => "the answer was taken back",
  "escalation.cancelled": () => "taken back by the agent",
  "escalation.expired": () => "expired",
};

/** What has happened to a question, oldest first, a line for each. `events` come newest first. */
export function questionHistory(events: readonly Event[], out: Printer): string {
  if (events.length === 0) return "";
  const now = out.now();
  const lines = events
    .toReversed()
    .map(
      ({ type, attributes, createdAt }) =>
        `${clockTime(createdAt, now)}  ${HAPPENED[type]?.(attributes, { now, at: createdAt }) ?? type}`,
    );
  return `\n${indent(`History\n${indent(escapeLines(lines), "  ")}`, "    ")}`;
}

function escapeLines(lines: readonly string[]): string {
  return lines.map((line) => escapeForTerminal(line)).join("\n");
}
