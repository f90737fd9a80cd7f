import type { Texts } from "../catalogue.ts";
import type { about as english } from "../en/about.ts";

export const about: Texts<typeof english> = {
  "about.text":
    "Die lokale Schicht, über die Coding-Agenten einander finden, Nachrichten austauschen, Aufgaben teilen und dich fragen.",
  "about.versions": "Versionen",
  "about.app": "App",
  "about.daemon": "Daemon",
  "about.protocol": "Protokoll",
  "about.unknown": "nicht verbunden",
  "about.link.documentation": "Dokumentation",
  "about.link.changelog": "Was neu ist",
  "about.link.issues": "Ein Problem melden",
  "about.link.license": "Lizenz (Apache-2.0)",
  "about.private":
    "Nichts verlässt diesen Rechner: keine Telemetrie, kein Konto. Nur die Suche nach neuen Versionen geht nach außen, und die lässt sich abschalten.",
  "about.libraries": "Woraus diese Seiten gemacht sind",
  "about.libraries.text": "Danke an alle, die das schreiben.",
};
