import type { Texts } from "../catalogue.ts";
import type { notify as english } from "../en/notify.ts";

export const notify: Texts<typeof english> = {
  "notify.answered.cancelled": "Der Agent hat seine Frage zurückgezogen",
  "notify.answered.elsewhere":
    "Sie ist schon beantwortet, {surface, select, tray {im Menü der Leiste} window {in einem Fenster} notification {in einer Benachrichtigung} cli {auf der Kommandozeile} client {im Programm des Agenten} other {durch ein anderes Programm}}",
  "notify.answered.failed": "Die Antwort kam nicht an: {reason}",
  "notify.answered.gone": "Die Frage gibt es nicht mehr",
  "notify.answered.late": "Deine Antwort kam nach Ablauf der Frage; der Agent bekommt sie als verspätet",
  "notify.answered.title": "Frage von {who}",
  "notify.deferred.failed": "Die Frage ließ sich nicht aufschieben: {reason}",
  "notify.digest.again":
    "{count, plural, one {# Frage kam} other {# Fragen kamen}}, während Benachrichtigungen pausiert waren",
  "notify.digest.body": "Hier geht es {count, plural, one {zu ihr} other {zu ihnen}}.",
  "notify.digest.title":
    "{count, plural, one {# Frage} other {# Fragen}} von {agents, plural, one {# Agenten} other {# Agenten}}",
  "notify.hidden.body": "Hier geht es zur Frage.",
  "notify.hidden.title": "Ein Agent fragt dich etwas",
  "notify.reply": "Deine Antwort",
  "notify.title": "{who} fragt",
  "notify.title.again": "{who} wartet noch",
  "notify.title.urgent": "Dringend: {who} fragt",
};
