import type { Texts } from "../catalogue.ts";
import type { common as english } from "../en/common.ts";

export const common: Texts<typeof english> = {
  "app.name": "Agent Intercom",
  "common.cancel": "Abbrechen",
  "common.close": "Schließen",
  "common.copied": "Kopiert",
  "common.copy": "Kopieren",
  "common.retry": "Erneut versuchen",
  "common.undo": "Rückgängig",
};
