import { lazy, Suspense, useEffect } from "react";
import { VIEWS, type View } from "../../protocol/desktop/names.ts";
import { useKeys } from "../keyboard/use-keys.ts";
import { useApp, useAppHandle, useText } from "../state/context.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Announcer } from "./announcer.tsx";
import { Banners } from "./banners.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import styles from "./shell.module.css";
import { Shortcuts } from "./shortcuts.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useView } from "./use-view.ts";
import { ViewFailed } from "./view-failed.tsx";
import { views } from "./views.ts";

const loadPalette = () => import("../features/palette/index.tsx");
const Palette = lazy(loadPalette);

/** The main window: navigation at the side, one view beside it, and what may lie over both. */
export function Shell() {
  const app = useAppHandle();
  const t = useText();
  const phase = useApp((state) => state.phase);
  const startError = useApp((state) => state.startError);
  const view = useApp((state) => state.route.view);
  const overlay = useApp((state) => state.overlay);

  useEffect(() => {
    document.title = `${t(`view.${view}`)} · ${t("app.name")}`;
  }, [t, view]);

  useEffect(() => {
    // Who has pressed Ctrl+K types on at once. What fails here is told when the palette is wanted.
    loadPalette().catch(() => {});
  }, []);

  const goTo = VIEWS.map((name) => [`g ${views[name].key}`, () => app.navigate({ view: name })] as const);
  useKeys({
    ...Object.fromEntries(goTo),
    "mod+k": () => app.setOverlay("palette"),
    "?": () => app.setOverlay("shortcuts"),
  });

  return (
    <div className={styles.shell}>
      <button type="button" className={styles.skip} onClick={() => document.getElementById("content")?.focus()}>
        {t("shell.skip")}
      </button>
      <Sidebar />
      <main id="content" tabIndex={-1} className={styles.main}>
        <Banners notices />
        {phase === "failed" && startError && (
          <Problem title={t("shell.startFailed")} error={startError} onRetry={() => void app.start()} />
        )}
        {phase === "starting" && <Skeleton />}
        {phase === "running" && (
          <ErrorBoundary key={view} fallback={(error, again) => <ViewFailed error={error} onAgain={again} />}>
            <CurrentView view={view} />
          </ErrorBoundary>
        )}
      </main>
      {overlay === "shortcuts" && <Shortcuts onClose={() => app.setOverlay(undefined)} />}
      {overlay === "palette" && (
        <Suspense>
          <Palette onClose={() => app.setOverlay(undefined)} />
        </Suspense>
      )}
      <Announcer />
    </div>
  );
}

function CurrentView({ view }: { readonly view: View }) {
  const Component = useView(view);
  return Component ? <Component /> : <Skeleton />;
}
