import type { Translator } from "../../../i18n/index.ts";
import type { Destination } from "../../../protocol/desktop/index.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useApp, useAppHandle, useText } from "../../state/context.tsx";
import { routeHash } from "../../state/route.ts";
import styles from "./activity.module.css";
import type { Reference } from "./sentence.ts";

/** Titles of tasks by id, as far as they are known. */
export type Titles = Readonly<Record<string, { readonly title: string }>>;

const PLACES: Partial<Record<Reference["kind"], Destination["view"]>> = {
  agent: "sessions",
  task: "tasks",
  message: "messages",
  question: "inbox",
};

/** What a reference is called in a sentence. */
export function nameOf({ kind, id }: Reference, t: Translator, titles: Titles): string {
  switch (kind) {
    case "agent":
    case "other":
      return id;
    case "task": {
      const title = titles[id]?.title;
      return title === undefined ? t("activity.task") : t("shell.quoted", { text: visibleLine(title, 80) });
    }
    case "message":
      return t("activity.message");
    case "question":
      return t("activity.question");
    case "you":
      return t("activity.you");
    case "system":
      return t("activity.system");
  }
}

/** Ids and titles are written as they are, our own words as a sentence begins. */
function capital(name: string, { kind }: Reference): string {
  const isOurs = kind === "task" || kind === "message" || kind === "question";
  return isOurs ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

interface ReferenceLinkProps {
  readonly scopeId: string;
  readonly reference: Reference;
  readonly titles: Titles;
  /** Whether it can be reached with Tab; in a list of many rows only the current row's links can. */
  readonly reachable: boolean;
  /** Whether the sentence begins with it. */
  readonly begins: boolean;
}

export function ReferenceLink({ scopeId, reference, titles, reachable, begins }: ReferenceLinkProps) {
  const app = useAppHandle();
  const t = useText();
  const isKnown = useApp(({ live }) => reference.kind !== "agent" || `${scopeId}/${reference.id}` in live.agents);
  const question = useApp(({ live }) =>
    reference.kind === "question" ? live.questions[reference.id]?.question : undefined,
  );
  const plain = nameOf(reference, t, titles);
  const name = question === undefined ? plain : t("shell.quoted", { text: visibleLine(question, 80) });
  const words = begins && question === undefined ? capital(name, reference) : name;
  const view = PLACES[reference.kind];
  if (!view || !isKnown) return <bdi className={styles.named}>{words}</bdi>;
  const destination: Destination = { view, scopeId, id: reference.id };
  return (
    <a
      className={styles.reference}
      href={routeHash(destination)}
      tabIndex={reachable ? 0 : -1}
      onClick={(event) => {
        event.preventDefault();
        app.navigate(destination);
      }}
    >
      <bdi>{words}</bdi>
    </a>
  );
}
