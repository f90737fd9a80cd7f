import { Clock } from "lucide-react";
import { useId, useState } from "react";
import { useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Keys } from "../../ui/keys.tsx";
import { Menu } from "../../ui/menu.tsx";
import { TextField } from "../../ui/text-field.tsx";
import styles from "./answer-form.module.css";
import { DELAYS, delayMs, delayUntil, LONGEST_DELAY_MS, localFieldValue } from "./delays.ts";

interface LaterMenuProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly disabled: boolean;
  readonly onDefer: (delayMs: number) => void;
}

/** Puts a question off for a while that one chooses. */
export function LaterMenu({ open, onOpenChange, disabled, onDefer }: LaterMenuProps) {
  const t = useText();
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <Menu
        open={open}
        onOpenChange={onOpenChange}
        trigger={
          <Button icon={<Clock />} disabled={disabled}>
            {t("answer.later")}
            <Keys chord="l" />
          </Button>
        }
        items={[
          ...DELAYS.map((delay) => ({
            id: delay,
            label: t(`answer.later.${delay}`),
            onSelect: () => onDefer(delayMs(delay, new Date())),
          })),
          { id: "custom", label: t("answer.later.custom"), onSelect: () => setChoosing(true) },
        ]}
      />
      {isChoosing && <CustomDelay onClose={() => setChoosing(false)} onDefer={onDefer} />}
    </>
  );
}

const HOUR_MS = 3_600_000;

function CustomDelay({ onClose, onDefer }: { readonly onClose: () => void; readonly onDefer: (ms: number) => void }) {
  const t = useText();
  const id = useId();
  const [value, setValue] = useState(() => localFieldValue(new Date(Date.now() + 2 * HOUR_MS)));
  const ms = delayUntil(value, new Date());
  function confirm(): void {
    if (ms === undefined) return;
    onClose();
    onDefer(ms);
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("answer.later.title")}
      actions={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button look="primary" disabled={ms === undefined} onClick={confirm}>
            {t("answer.later.confirm")}
          </Button>
        </>
      }
    >
      <div className={styles.custom}>
        <p>{t("answer.later.text")}</p>
        <label htmlFor={id}>{t("answer.later.label")}</label>
        <TextField
          id={id}
          type="datetime-local"
          value={value}
          min={localFieldValue(new Date())}
          max={localFieldValue(new Date(Date.now() + LONGEST_DELAY_MS))}
          aria-invalid={ms === undefined}
          aria-describedby={`${id}-problem`}
          onChange={(event) => setValue(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && confirm()}
        />
        <p id={`${id}-problem`} className={styles.invalid}>
          {ms === undefined && t("answer.later.past")}
        </p>
      </div>
    </Dialog>
  );
}
