import type { Texts } from "../catalogue.ts";
import type { signIn as english } from "../en/sign-in.ts";

export const signIn: Texts<typeof english> = {
  "signIn.none.title": "Diesen Browser anmelden",
  "signIn.none.text": "Agent Intercom zeigt, was Ihre Agenten tun und was sie Sie fragen: nur Ihnen.",
  "signIn.used.title": "Dieser Link wurde schon benutzt",
  "signIn.used.text":
    "Ein Link meldet einen Browser an, einmal. Waren nicht Sie das, so zeigt agent-intercom ui sessions, wer angemeldet ist.",
  "signIn.expired.title": "Dieser Link ist zu alt",
  "signIn.expired.text": "Ein Link gilt eine Minute lang.",
  "signIn.unknown.title": "Dieser Link ist hier nicht bekannt",
  "signIn.unknown.text": "Er ist vielleicht von einem anderen Daemon oder wurde nicht ganz kopiert.",
  "signIn.busy.title": "Zu viele Links galten nicht",
  "signIn.busy.text": "Warten Sie eine Minute und holen Sie dann einen neuen.",
  "signIn.ended.title": "Sie wurden abgemeldet",
  "signIn.ended.text":
    "Die Sitzung dieses Browsers ist vorbei: Sie wurde anderswo beendet oder eine Woche lang nicht benutzt.",
  "signIn.left.title": "Sie sind abgemeldet",
  "signIn.left.text": "Dieser Browser zeigt nichts mehr von Ihren Agenten.",
  "signIn.unreachable.title": "Der Daemon antwortet nicht",
  "signIn.unreachable.text": "Er wurde beendet oder startet gerade neu. Was er weiß, ist sicher.",
  "signIn.run": "Geben Sie auf dem Rechner, auf dem er läuft, in einem Terminal ein:",
  "signIn.start": "Kommt er nicht von selbst zurück, so starten Sie ihn:",
  "signIn.note": "Das öffnet diese Seite mit einem Link, der Sie anmeldet: einmal, innerhalb einer Minute.",
};
