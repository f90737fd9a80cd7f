import type { Texts } from "../catalogue.ts";
import type { connect as english } from "../en/connect.ts";

export const connect: Texts<typeof english> = {
  "connect.intro":
    "Ein Agent kommt dazu, wenn sein Programm Agent Intercom als MCP-Server kennt. Füge es einem Programm hinzu, das du benutzt; der Eintrag lässt sich jederzeit zurücknehmen.",
  "connect.failed": "Die Programme konnten nicht gesucht werden",
  "connect.found": "Auf diesem Rechner",
  "connect.others": "Hier nicht gefunden",
  "connect.others.note": "Du kannst den Eintrag trotzdem hinzufügen; er wartet auf das Programm.",
  "connect.state.absent": "Nicht verbunden",
  "connect.state.connected": "Verbunden",
  "connect.state.differs": "Hat einen anderen Eintrag",
  "connect.state.unreadable": "Konfiguration nicht lesbar",
  "connect.state.differs.text":
    "Die Konfiguration hat einen Eintrag mit unserem Namen, der nicht so ist, wie wir ihn schrieben. Hinzufügen ersetzt ihn; eine Kopie der Datei bleibt.",
  "connect.state.unreadable.text":
    "Die Datei ist nicht zu verstehen, darum bleibt sie unberührt. Repariere sie oder füge den Eintrag von Hand ein.",
  "connect.verified": "Mit einer echten Sitzung erprobt",
  "connect.add": "Hinzufügen",
  "connect.add.label": "Zu {client} hinzufügen",
  "connect.replace": "Ersetzen",
  "connect.replace.label": "Den Eintrag in {client} ersetzen",
  "connect.undo": "Rückgängig",
  "connect.undo.label": "In {client} rückgängig machen",
  "connect.file": "Gehört in",
  "connect.manual": "Eintrag zum Einfügen von Hand",
  "connect.next": "Das bleibt dir zu tun",
  "connect.notes": "Gut zu wissen",
  "connect.copy.label": "Kopieren: {what}",
  "connect.copied": "Kopiert",
  "connect.browser.why":
    "Eine Seite im Browser darf keine Dateien deines Rechners ändern, darum braucht das Hinzufügen dort einen Befehl im Terminal. Die Desktop-App hat Knöpfe dafür.",
  "connect.browser.add": "Zu einem Programm hinzufügen",
  "connect.browser.add.text":
    "Ändert die Konfiguration des Programms und sagt, was geschah; mit --undo nimmt er es zurück.",
  "connect.browser.list": "Sehen, welche Programme er kennt",
  "connect.browser.list.text": "Zeigt die Programme, die sich verbinden lassen, und welche es sind.",
  "connect.browser.mcp": "Für jeden anderen MCP-Client",
  "connect.browser.mcp.text": "Starte diesen Befehl als stdio-Server. Die meisten Clients nehmen so einen Eintrag:",
  "connect.demo": "Nur mal sehen?",
  "connect.demo.text": "Das startet zwei Demo-Agenten, die reden, sich eine Aufgabe teilen und dich etwas fragen:",
};
