import type { Texts } from "../catalogue.ts";
import type { palette as english } from "../en/palette.ts";

export const palette: Texts<typeof english> = {
  "palette.title": "Suchen oder etwas tun",
  "palette.placeholder": "Eine Ansicht, ein Agent, eine Frage oder was du tun willst",
  "palette.none": "So heißt nichts.",
  "palette.group.actions": "Tun",
  "palette.group.views": "Gehe zu",
  "palette.group.questions": "Fragen",
  "palette.group.agents": "Agenten",
  "palette.pauseHalfHour": "Benachrichtigungen 30 Minuten pausieren",
  "palette.pauseTomorrow": "Benachrichtigungen bis morgen pausieren",
  "palette.resume": "Benachrichtigungen fortsetzen",
  "palette.theme.light": "Helle Farben",
  "palette.theme.dark": "Dunkle Farben",
  "palette.theme.system": "Farben des Systems",
  "palette.backup": "Jetzt sichern",
  "palette.diagnostics": "Diagnose kopieren",
  "palette.restart": "Daemon neu starten",
  "palette.undo": "Letzte Antwort zurücknehmen",
  "palette.shortcuts": "Tastenkürzel zeigen",
};
