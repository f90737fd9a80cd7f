import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { useState } from "react";
import { useText } from "../../state/context.tsx";
import { Keys } from "../../ui/keys.tsx";
import styles from "./palette.module.css";
import { type Command, matching } from "./search.ts";
import { useCommands } from "./use-commands.ts";

/** Finds a view, an agent, a question or something to do by a few letters of its name. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const commands = useCommands();
  const [text, setText] = useState("");
  const groups = matching(commands, text);

  function run(command: Command): void {
    onClose();
    command.run();
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.veil} />
        <Dialog.Popup className={styles.popup} aria-label={t("palette.title")}>
          <Autocomplete.Root
            inline
            open
            items={groups}
            mode="none"
            value={text}
            onValueChange={setText}
            autoHighlight="always"
            itemToStringValue={(command: Command) => command.label}
          >
            <div className={styles.field}>
              <Search aria-hidden="true" />
              <Autocomplete.Input
                className={styles.input}
                aria-label={t("palette.title")}
                placeholder={t("palette.placeholder")}
              />
            </div>
            <Autocomplete.Empty className={styles.empty}>{t("palette.none")}</Autocomplete.Empty>
            <Autocomplete.List className={styles.list} aria-label={t("palette.title")}>
              {(group: (typeof groups)[number]) => (
                <Autocomplete.Group key={group.value} items={group.items} className={styles.group}>
                  <Autocomplete.GroupLabel className={styles.groupLabel}>
                    {t(`palette.group.${group.value}`)}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Autocomplete.Item
                        key={command.id}
                        value={command}
                        className={styles.item}
                        onClick={() => run(command)}
                      >
                        <command.icon aria-hidden="true" />
                        <span className={styles.label}>{command.label}</span>
                        {command.detail && <span className={styles.detail}>{command.detail}</span>}
                        {command.shortcut && <Keys chord={command.shortcut} />}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
