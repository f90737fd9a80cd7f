import type { Texts } from "../catalogue.ts";
import type { inbox as english } from "../en/inbox.ts";

export const inbox: Texts<typeof english> = {
  "inbox.tabs": "Welche Fragen",
  "inbox.tab.pending": "Offen",
  "inbox.tab.later": "Aufgeschoben",
  "inbox.tab.history": "Archiv",
  "inbox.list.pending": "Fragen, die auf dich warten",
  "inbox.list.later": "Fragen, die du aufgeschoben hast",
  "inbox.list.history": "Abgeschlossene Fragen",
  "inbox.detail": "Frage",
  "inbox.first.title": "Noch ist kein Agent verbunden",
  "inbox.first.text":
    "Agenten auf diesem Rechner finden sich hier gegenseitig und fragen dich, wenn sie dich brauchen. Verbinde das Programm, das du benutzt, oder sieh erst zwei Agenten bei der Arbeit zu:",
  "inbox.first.connect": "Einen Agenten verbinden",
  "inbox.first.copy": "Befehl kopieren",
  "inbox.clear.title": "Niemand wartet auf dich",
  "inbox.clear.text":
    "Wenn ein Agent dich etwas fragt, steht es hier. Die Frage wartet so lange, wie der Agent gesagt hat, auch wenn dieses Fenster zu ist.",
  "inbox.later.title": "Nichts ist aufgeschoben",
  "inbox.later.text":
    "Mit „Später“ schiebst du eine Frage auf, die du jetzt nicht beantworten kannst. Der Agent erfährt, wann du sie dir ansiehst.",
  "inbox.history.title": "Noch ist keine Frage abgeschlossen",
  "inbox.history.text":
    "Was du beantwortet hast, was verfallen ist und was Agenten zurückgezogen haben, bleibt hier: auch wo es gezeigt wurde und wer geantwortet hat.",
  "inbox.history.none.title": "Nichts gefunden",
  "inbox.history.none.text": "Keine abgeschlossene Frage enthält „{text}“, auch nicht in Antwort oder Hinweis.",
  "inbox.history.search": "Fragen und Antworten durchsuchen",
  "inbox.history.failed": "Das Archiv ließ sich nicht lesen",
  "inbox.history.all": "Alle",
  "inbox.history.resolved": "Beantwortet",
  "inbox.history.expired": "Verfallen",
  "inbox.history.cancelled": "Zurückgezogen",
  "inbox.history.filter": "Wie es ausging",
  "inbox.question.failed": "Die Frage ließ sich nicht lesen",
  "inbox.status.resolved": "Beantwortet",
  "inbox.status.expired": "Verfallen",
  "inbox.status.cancelled": "Zurückgezogen",
  "inbox.until": "bis {time}",
  "inbox.next": "Nächste Frage",
  "inbox.audit": "Was geschehen ist",
  "inbox.audit.failed": "Was geschehen ist, ließ sich nicht lesen",
  "inbox.audit.created": "Gefragt",
  "inbox.audit.shown":
    "{where, select, tray {Tray-Menü} window {Fenster} notification {Benachrichtigung} cli {Befehlszeile} other {Anderswo}}: {verdict, select, shown {gezeigt} seen {gesehen} suppressed_visible {nicht nötig, sie war zu sehen} suppressed_paused {zurückgehalten, Benachrichtigungen waren pausiert} suppressed_disabled {zurückgehalten, Benachrichtigungen sind aus} digest {zusammen mit anderen gemeldet} os_denied {vom System abgelehnt} failed {ließ sich nicht zeigen} dismissed {weggeklickt} withdrawn {wieder entfernt} other {{verdict}}}",
  "inbox.audit.deferred": "Aufgeschoben bis {time}",
  "inbox.audit.broughtBack": "Zurückgeholt",
  "inbox.audit.resolved":
    "Beantwortet {by, select, rule {durch eine feste Regel} other {von dir}} {where, select, tray {im Tray-Menü} window {in einem Fenster} notification {in einer Benachrichtigung} cli {auf der Befehlszeile} client {im Programm des Agenten} other {von einem anderen Programm}}{late, select, true {, verspätet} other {}}",
  "inbox.audit.read": "Vom Agenten gelesen",
  "inbox.audit.withdrawn": "Antwort zurückgenommen, bevor der Agent sie gelesen hat",
  "inbox.audit.cancelled": "Vom Agenten zurückgezogen",
  "inbox.audit.expired": "Ohne Antwort verfallen",
};
