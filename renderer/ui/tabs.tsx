import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import { Count } from "./badge.tsx";
import styles from "./tabs.module.css";

interface TabsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly tabs: readonly { readonly value: T; readonly label: string; readonly count?: number | undefined }[];
  /** What the chosen tab shows. */
  readonly children: ReactNode;
  readonly panelClassName?: string | undefined;
}

export function Tabs<T extends string>({ label, value, onChange, tabs, children, panelClassName }: TabsProps<T>) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as T)} className={styles.root}>
      <Base.List aria-label={label} className={styles.list}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
            {tab.count !== undefined && tab.count > 0 && <Count value={tab.count} />}
          </Base.Tab>
        ))}
      </Base.List>
      {/* One panel that changes what it shows: the focus of a list inside is the list's own matter. */}
      <Base.Panel value={value} className={panelClassName} tabIndex={-1}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
