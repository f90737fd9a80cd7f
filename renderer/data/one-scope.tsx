import type { LiveState } from "../../protocol/desktop/index.ts";
import type { AppState } from "../state/app-store.ts";
import { useApp, useAppHandle, useAppParts, useText } from "../state/context.tsx";
import { Select } from "../ui/select.tsx";

/** The scope with the most going on: where all are meant and only one can be shown, it is the likeliest. */
function busiest(scopes: LiveState["scopes"]): string | undefined {
  const weight = (id: string) => {
    const scope = scopes[id];
    return scope ? scope.reachableAgents * 1000 + scope.agents : 0;
  };
  return Object.keys(scopes).sort((a, b) => weight(b) - weight(a) || a.localeCompare(b))[0];
}

/** The scope of views that show one: that of the place gone to, the chosen one, or the busiest. */
export function oneScope({ live, route, scopeId }: Pick<AppState, "live" | "route" | "scopeId">): string | undefined {
  const wanted = route.scopeId ?? scopeId;
  return wanted !== undefined && live.scopes[wanted] ? wanted : busiest(live.scopes);
}

export function useOneScope(): string | undefined {
  return useApp(oneScope);
}

/** Chooses the scope of the view where the whole page shows all of them. */
export function OneScopeSelect() {
  const app = useAppHandle();
  const t = useText();
  const scopes = useAppParts((state) => Object.keys(state.live.scopes).sort());
  const current = useOneScope();
  const view = useApp((state) => state.route.view);
  const isChosen = useApp((state) => state.scopeId !== undefined);
  if (isChosen || current === undefined || scopes.length < 2) return undefined;
  return (
    <Select
      label={t("shell.scope")}
      value={current}
      options={scopes.map((id) => ({ value: id, label: id }))}
      onChange={(scopeId) => app.navigate({ view, scopeId })}
    />
  );
}
