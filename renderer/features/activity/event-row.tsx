import {
  Bot,
  Cable,
  ChevronRight,
  CircleHelp,
  Globe,
  KeyRound,
  Link2,
  ListTodo,
  Mail,
  Rss,
  Workflow,
} from "lucide-react";
import { memo } from "react";
import { type EventKind, kindOf } from "../../../protocol/events/index.ts";
import type { Event } from "../../../protocol/objects/event.ts";
import { cx } from "../../lib/cx.ts";
import { fullTime } from "../../lib/time.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import styles from "./activity.module.css";
import { EventLine } from "./event-line.tsx";
import { nameOf, type Titles } from "./reference-link.tsx";
import { plainSentence, sentenceOf } from "./sentence.ts";
import { feedFilter } from "./view-state.ts";

const ICONS: Readonly<Record<EventKind, typeof Bot>> = {
  agent: Bot,
  connector: Cable,
  scope: Workflow,
  link: Link2,
  message: Mail,
  task: ListTodo,
  escalation: CircleHelp,
  credential: KeyRound,
  output: Rss,
  a2a: Globe,
};

interface EventRowProps {
  readonly event: Event;
  readonly titles: Titles;
  readonly isOpen: boolean;
  /** Where the keyboard is; only its controls can be reached with Tab. */
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
  readonly onToggle: () => void;
}

export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { event, titles, isOpen, isCurrent, onFocus, onToggle } = props;
  const t = useText();
  const Icon = ICONS[kindOf(event.type) as EventKind] ?? CircleHelp;
  const sentence = plainSentence(sentenceOf(event, t, String), (reference) => nameOf(reference, t, titles));
  return (
    <>
      <div className={cx(styles.row, isOpen && styles.open)}>
        <button
          type="button"
          id={`event-${event.id}`}
          className={styles.toggle}
          tabIndex={isCurrent ? 0 : -1}
          aria-expanded={isOpen}
          aria-label={t("activity.details.of", { sentence })}
          onFocus={onFocus}
          onClick={onToggle}
        >
          <ChevronRight aria-hidden="true" />
        </button>
        <Icon aria-hidden="true" className={styles.kind} />
        <span className={styles.sentence}>
          <EventLine event={event} titles={titles} reachable={isCurrent} />
        </span>
        <RelativeTime at={event.createdAt} className={styles.time} />
      </div>
      {isOpen && <Details event={event} />}
    </>
  );
});

function Details({ event }: { readonly event: Event }) {
  const t = useText();
  const facts: readonly (readonly [string, string])[] = [
    [t("activity.details.time"), fullTime(event.createdAt, t.locale)],
    [t("activity.details.type"), event.type],
    [t("activity.details.subject"), event.subjectId],
    ...Object.entries(event.attributes),
    [t("activity.details.revision"), String(event.revision)],
    [t("activity.details.id"), event.id],
  ];
  return (
    <div className={styles.details}>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{visibleLine(name, 60)}</dt>
            <dd>{visibleLine(value, 600)}</dd>
          </div>
        ))}
      </dl>
      <Button onClick={() => feedFilter.setState({ subjectId: event.subjectId })}>{t("activity.details.only")}</Button>
    </div>
  );
}
