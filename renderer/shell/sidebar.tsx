import { Keyboard, Search } from "lucide-react";
import { useCallback } from "react";
import { VIEWS, type View } from "../../protocol/desktop/names.ts";
import { isDeferred } from "../../protocol/desktop/questions.ts";
import { useNow } from "../lib/clock.ts";
import { cx } from "../lib/cx.ts";
import { useApp, useAppHandle, useText } from "../state/context.tsx";
import { countShown, questionsShown } from "../state/selectors.ts";
import { Count } from "../ui/badge.tsx";
import { IconButton } from "../ui/button.tsx";
import { Keys } from "../ui/keys.tsx";
import { ScopeSwitch } from "./scope-switch.tsx";
import styles from "./sidebar.module.css";
import { views } from "./views.ts";

/** Those about the work, and those about the program. */
const GROUPS = [VIEWS.slice(0, 5), VIEWS.slice(5)] as const;

export function Sidebar() {
  const app = useAppHandle();
  const t = useText();
  const current = useApp((state) => state.route.view);
  return (
    <aside className={styles.sidebar}>
      <button type="button" className={styles.search} onClick={() => app.setOverlay("palette")}>
        <Search aria-hidden="true" />
        <span className={styles.name}>{t("shell.search")}</span>
        <Keys chord="mod+k" />
      </button>
      <ScopeSwitch />
      <nav aria-label={t("shell.navigation")} className={styles.nav}>
        {GROUPS.map((group) => (
          <ul key={group[0]} className={styles.group}>
            {group.map((view) => (
              <li key={view}>
                <NavigationLink view={view} isCurrent={view === current} />
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <div className={styles.foot}>
        <IconButton
          label={t("shell.shortcuts")}
          shortcut="?"
          icon={<Keyboard />}
          onClick={() => app.setOverlay("shortcuts")}
        />
      </div>
    </aside>
  );
}

function NavigationLink({ view, isCurrent }: { readonly view: View; readonly isCurrent: boolean }) {
  const app = useAppHandle();
  const t = useText();
  const { icon: Icon } = views[view];
  return (
    <a
      href={`#/${view}`}
      title={t(`view.${view}`)}
      aria-current={isCurrent ? "page" : undefined}
      className={styles.link}
      onClick={(event) => {
        event.preventDefault();
        app.navigate({ view });
      }}
    >
      <Icon aria-hidden="true" />
      <span className={styles.name}>{t(`view.${view}`)}</span>
      <NavigationCount view={view} />
    </a>
  );
}

/** The number beside a view: what waits for the human loudly, what is merely there quietly. */
function NavigationCount({ view }: { readonly view: View }) {
  switch (view) {
    case "inbox":
      return <WaitingCount />;
    case "sessions":
      return <PlainCount view={view} of="reachableAgents" />;
    case "messages":
      return <PlainCount view={view} of="unreadHumanMessages" />;
    case "tasks":
      return <PlainCount view={view} of="openTasks" />;
    default:
      return undefined;
  }
}

function WaitingCount() {
  const t = useText();
  const live = useApp((state) => state.live.questions);
  const scopeId = useApp((state) => state.scopeId);
  const count = useNow(
    useCallback(
      (nowMs: number) => questionsShown(live, scopeId).filter((question) => !isDeferred(question, nowMs)).length,
      [live, scopeId],
    ),
  );
  if (count === 0) return undefined;
  return (
    <span className={styles.count}>
      <span aria-hidden="true">
        <Count value={count} tone="accent" />
      </span>
      <span className="visually-hidden">{t("shell.count.inbox", { count })}</span>
    </span>
  );
}

interface PlainCountProps {
  readonly view: "sessions" | "messages" | "tasks";
  readonly of: Parameters<typeof countShown>[1];
}

function PlainCount({ view, of }: PlainCountProps) {
  const t = useText();
  const count = useApp((state) => countShown(state, of));
  if (count === 0) return undefined;
  return (
    <span className={cx(styles.count, view !== "messages" && styles.quiet)}>
      <span aria-hidden="true">
        <Count value={count} tone={view === "messages" ? "accent" : "neutral"} />
      </span>
      <span className="visually-hidden">{t(`shell.count.${view}`, { count })}</span>
    </span>
  );
}
