import type { MessageKey } from "../../i18n/index.ts";
import { VIEWS } from "../../protocol/desktop/names.ts";
import { useText } from "../state/context.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Keys } from "../ui/keys.tsx";
import styles from "./shortcuts.module.css";
import { views } from "./views.ts";

type Row = readonly [label: MessageKey, ...chords: string[]];

const GROUPS: readonly (readonly [title: MessageKey, rows: readonly Row[]])[] = [
  [
    "shell.shortcuts.general",
    [
      ["shell.shortcuts.palette", "mod+k"],
      ["shell.shortcuts.sheet", "?"],
      ["shell.shortcuts.close", "Escape"],
    ],
  ],
  [
    "shell.shortcuts.lists",
    [
      ["shell.shortcuts.next", "j", "ArrowDown"],
      ["shell.shortcuts.previous", "k", "ArrowUp"],
      ["shell.shortcuts.open", "Enter"],
    ],
  ],
  [
    "shell.shortcuts.answering",
    [
      ["shell.shortcuts.option", "1", "2", "3", "4"],
      ["shell.shortcuts.allow", "y"],
      ["shell.shortcuts.deny", "n"],
      ["shell.shortcuts.reply", "r"],
      ["shell.shortcuts.send", "mod+Enter"],
      ["shell.shortcuts.later", "l"],
      ["shell.shortcuts.undo", "u"],
    ],
  ],
  ["shell.shortcuts.goTo", VIEWS.map((view) => [`view.${view}`, `g ${views[view].key}`] as const)],
];

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  return (
    <Dialog open onClose={onClose} title={t("shell.shortcuts")} size="wide">
      <div className={styles.groups}>
        {GROUPS.map(([title, rows]) => (
          <section key={title} className={styles.group}>
            <h3 className={styles.title}>{t(title)}</h3>
            <dl className={styles.rows}>
              {rows.map(([label, ...chords]) => (
                <div key={label} className={styles.row}>
                  <dt>{t(label)}</dt>
                  <dd className={styles.chords}>
                    {chords.map((chord) => (
                      <Keys key={chord} chord={chord} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
