import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useText } from "../../state/context.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Keys } from "../../ui/keys.tsx";
import { acceleratorOf } from "./accelerator.ts";
import { Row } from "./parts.tsx";
import styles from "./settings.module.css";

interface ShortcutRowProps {
  readonly shortcut: string | null;
  readonly onChange: (shortcut: string | null) => void;
}

/** Takes a shortcut by having it pressed. */
export function ShortcutRow({ shortcut, onChange }: ShortcutRowProps) {
  const t = useText();
  const [isRecording, setRecording] = useState(false);

  function press(event: KeyboardEvent): void {
    // Out of it as from everything else, and on to the next control.
    if (!isRecording || event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") setRecording(false);
    const accelerator = acceleratorOf({ ...pressOf(event), code: event.code });
    if (accelerator === undefined) return;
    setRecording(false);
    onChange(accelerator);
  }

  return (
    <Row
      label={t("settings.shortcut")}
      text={t("settings.shortcut.text")}
      control={(_labelId, textId) => (
        <>
          <Button
            className={styles.recorder}
            aria-describedby={textId}
            aria-pressed={isRecording}
            onClick={() => setRecording(!isRecording)}
            onKeyDown={press}
            onBlur={() => setRecording(false)}
          >
            {!isRecording && <span className="visually-hidden">{t("settings.shortcut.change")} </span>}
            {isRecording ? (
              t("settings.shortcut.record")
            ) : shortcut ? (
              <Keys chord={chordNames(shortcut)} />
            ) : (
              t("settings.shortcut.none")
            )}
          </Button>
          {shortcut && <IconButton label={t("settings.shortcut.clear")} icon={<X />} onClick={() => onChange(null)} />}
          {isRecording && <p className={styles.hint}>{t("settings.shortcut.hint")}</p>}
        </>
      )}
    />
  );
}

function pressOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) {
  return { key, ctrlKey, metaKey, altKey, shiftKey };
}

function chordNames(accelerator: string): string {
  return accelerator.replace("CommandOrControl", "mod").replace("Shift", "shift");
}
