import { useApp, useAppHandle, useAppParts, useText } from "../state/context.tsx";
import { Select } from "../ui/select.tsx";
import styles from "./scope-switch.module.css";

const ALL = "";

/** Narrows every view to one scope. With a single scope there is nothing to choose. */
export function ScopeSwitch() {
  const app = useAppHandle();
  const t = useText();
  const scopes = useAppParts((state) => Object.keys(state.live.scopes).sort());
  const scopeId = useApp((state) => state.scopeId);
  if (scopes.length < 2) return undefined;
  return (
    <Select
      label={t("shell.scope")}
      className={styles.switch}
      value={scopeId ?? ALL}
      options={[{ value: ALL, label: t("shell.scope.all") }, ...scopes.map((id) => ({ value: id, label: id }))]}
      onChange={(value) => app.setScope(value === ALL ? undefined : value)}
    />
  );
}
