import styles from "./keys.module.css";

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
const NAMES: Readonly<Record<string, string>> = {
  mod: isApple ? "⌘" : "Ctrl",
  shift: isApple ? "⇧" : "Shift",
  Enter: isApple ? "↩" : "Enter",
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

/** The name of a chord, e.g. `mod+k`, `g i`, as keys. */
export function Keys({ chord }: { readonly chord: string }) {
  return (
    <span className={styles.keys}>
      {chord.split(/[+ ]/).map((key) => (
        <kbd key={key} className={styles.key}>
          {NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
        </kbd>
      ))}
    </span>
  );
}
