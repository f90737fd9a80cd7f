import type { Texts } from "../catalogue.ts";
import type { windows as english } from "../en/windows.ts";

export const windows: Texts<typeof english> = {
  "windows.answer.title": "Frage an dich",
  "windows.close.detail":
    "Dieser Desktop zeigt keine Symbole von Apps, du fändest ein verstecktes Fenster also nicht wieder. Solange Agent Intercom läuft, erreichen Agenten dich und einander.",
  "windows.close.minimize": "Fenster verkleinern",
  "windows.close.question": "Soll Agent Intercom weiterlaufen?",
  "windows.close.quit": "Beenden",
  "windows.crash.details": "Einzelheiten für eine Meldung",
  "windows.crash.explanation":
    "Nichts, was Agenten geschickt oder gefragt haben, ist verloren: Der Daemon bewahrt es auf und läuft weiter oder wird neu gestartet.",
  "windows.crash.quit": "Beenden",
  "windows.crash.relaunch": "Neu starten",
  "windows.crash.title": "Agent Intercom ist ausgefallen",
  "windows.menu.about": "Über Agent Intercom",
  "windows.menu.answer": "Eine Frage beantworten",
  "windows.menu.close": "Fenster schließen",
  "windows.menu.cut": "Ausschneiden",
  "windows.menu.diagnostics": "Diagnose kopieren",
  "windows.menu.documentation": "Dokumentation",
  "windows.menu.edit": "Bearbeiten",
  "windows.menu.file": "Datei",
  "windows.menu.fullScreen": "Vollbild",
  "windows.menu.help": "Hilfe",
  "windows.menu.inbox": "Eingang",
  "windows.menu.issues": "Ein Problem melden",
  "windows.menu.paste": "Einfügen",
  "windows.menu.redo": "Wiederholen",
  "windows.menu.resetZoom": "Normale Größe",
  "windows.menu.selectAll": "Alles auswählen",
  "windows.menu.undo": "Rückgängig",
  "windows.menu.view": "Ansicht",
  "windows.menu.zoomIn": "Größer",
  "windows.menu.zoomOut": "Kleiner",
};
