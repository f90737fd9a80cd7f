import type { ReactNode } from "react";
import styles from "./page.module.css";

interface PageProps {
  readonly title: string;
  /** Search, filters and buttons beside the title. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of a view: its heading, its tools, and all the room there is for the rest. */
export function Page({ title, tools, children }: PageProps) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>{title}</h1>
        {tools && <div className={styles.tools}>{tools}</div>}
      </header>
      {children}
    </div>
  );
}

/** A page of text and settings that scrolls as a whole, no wider than is good to read. */
export function Prose({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.scroll}>
      <div className={styles.prose}>{children}</div>
    </div>
  );
}
