import type { Texts } from "../catalogue.ts";
import type { activity as english } from "../en/activity.ts";

export const activity: Texts<typeof english> = {
  "activity.kind": "Thema",
  "activity.kind.all": "Alles",
  "activity.kind.agent": "Agenten",
  "activity.kind.connector": "Verbindungen",
  "activity.kind.scope": "Der Bereich",
  "activity.kind.link": "Verknüpfungen",
  "activity.kind.message": "Nachrichten",
  "activity.kind.task": "Aufgaben",
  "activity.kind.escalation": "Fragen",
  "activity.kind.credential": "Zugangsdaten",
  "activity.kind.output": "Ausgabeströme",
  "activity.kind.a2a": "A2A",
  "activity.agent": "Agent",
  "activity.agent.all": "Alle Agenten",
  "activity.subject": "Nur zu {subject}",
  "activity.subject.clear": "Wieder alles zeigen",
  "activity.new": "{count, plural, one {# neues Ereignis} other {# neue Ereignisse}}",
  "activity.list": "Ereignisse, neueste zuerst",
  "activity.older": "Ältere Ereignisse zeigen",
  "activity.older.loading": "Ältere Ereignisse werden gelesen…",
  "activity.end": "Hier beginnt die Geschichte.",
  "activity.sparse": "Unter den bisher durchgesehenen Ereignissen ist keines. Es gibt noch ältere.",
  "activity.details.of": "Einzelheiten zu: {sentence}",
  "activity.details.type": "Art",
  "activity.details.revision": "Nummer im Bereich",
  "activity.details.id": "Ereignis",
  "activity.details.subject": "Betrifft",
  "activity.details.time": "Zeit",
  "activity.details.only": "Nur Ereignisse hierzu",
  "activity.failed": "Die Ereignisse konnten nicht gelesen werden",
  "activity.empty.title": "Noch ist nichts passiert",
  "activity.empty.text":
    "Alles, was Agenten hier tun, wird festgehalten: wer dazukam, wer wem schrieb, was aus Aufgaben und Fragen wurde. Verbinde einen Agenten oder starte die Demo, um zweien zuzusehen.",
  "activity.none.title": "Kein Ereignis passt",
  "activity.none.text": "Nimm einen Filter weg, um mehr zu sehen.",
  "activity.you": "Du",
  "activity.system": "Agent Intercom",
  "activity.task": "eine Aufgabe",
  "activity.message": "eine Nachricht",
  "activity.question": "eine Frage",

  "activity.event.unknown": "{type}: {subject}",
  "activity.event.agent.registered":
    "{connectorId, select, none {{subject} hat sich angemeldet} other {{subject} hat sich mit seinem MCP-Client verbunden}}",
  "activity.event.agent.lifecycle_changed":
    "{reason, select, retired {{subject} hat sich verabschiedet} revoked {{subject} wurde getrennt: die Verbindung wurde entzogen} other {{lifecycle, select, starting {{subject} startet} ready {{subject} ist bereit} working {{subject} arbeitet} idle {{subject} ist untätig} needs_input {{subject} braucht dich} offline {{subject} ist offline} other {{subject} ist jetzt: {lifecycle}}}}}",
  "activity.event.agent.profile_changed": "{subject} hat geändert, was es über sich sagt",
  "activity.event.agent.lease_expired": "Von {subject} war zu lange nichts zu hören; es gilt als fort",
  "activity.event.agent.removed": "{subject} wurde von der Liste genommen",
  "activity.event.connector.created": "Eine Verbindung für {agentName} wurde ausgestellt",
  "activity.event.connector.rotated": "Die Verbindung für {agentName} hat ein neues Geheimnis",
  "activity.event.connector.revoked":
    "Die Verbindung für {agentName} wurde entzogen, das beendete {executions, plural, =0 {keine Sitzung} one {# Sitzung} other {# Sitzungen}}",
  "activity.event.scope.created":
    "Der Bereich wurde angelegt; {linkPolicy, select, open {jeder Agent darf jedem schreiben} other {Agenten schreiben denen, mit denen sie verknüpft sind}}",
  "activity.event.scope.deleted": "Der Bereich {subject} wurde gelöscht",
  "activity.event.scope.policy_changed":
    "{linkPolicy, select, open {Von jetzt an darf jeder Agent jedem schreiben} other {Von jetzt an schreiben Agenten nur denen, mit denen sie verknüpft sind}}",
  "activity.event.scope.credentials_rotated":
    "Die Zugangsdaten des Bereichs wurden ersetzt: alle Sitzungen endeten, Zugänge von außen sind gesperrt",
  "activity.event.scope.imported": "Der Bereich kam aus einem Archiv",
  "activity.event.scope.pruned":
    "Was vor {before} fertig war, wurde entfernt: {messages, plural, one {# Nachricht} other {# Nachrichten}}, {tasks, plural, one {# Aufgabe} other {# Aufgaben}}, {escalations, plural, one {# Frage} other {# Fragen}}, {events, plural, one {# Ereignis} other {# Ereignisse}}",
  "activity.event.link.created": "{leftAgent} und {rightAgent} können einander jetzt schreiben",
  "activity.event.link.removed": "{leftAgent} und {rightAgent} sind nicht mehr verknüpft",
  "activity.event.link.requested": "{from} bittet um eine Verknüpfung mit {to}",
  "activity.event.link.request_resolved":
    "Die Verknüpfung, um die {from} mit {to} bat, wurde {status, select, accepted {angenommen} declined {abgelehnt} other {entschieden}}",
  "activity.event.message.accepted":
    "{fromKind, select, human {Du hast} system {Agent Intercom hat} other {{from} hat}} {toKind, select, human {dir} other {{to}}} {mode, select, request {eine Frage gestellt} response {geantwortet} other {geschrieben}}: {subject}",
  "activity.event.message.replied":
    "{fromKind, select, human {Du hast} other {{from} hat}} auf {subject} von {toKind, select, human {dir} other {{to}}} geantwortet",
  "activity.event.message.reserved": "{to} holt {subject} von {fromKind, select, human {dir} other {{from}}} ab",
  "activity.event.message.released":
    "{subject} von {fromKind, select, human {dir} other {{from}}} kam ungelesen zurück in den Eingang von {to}",
  "activity.event.message.delivered": "{to} hat {subject} von {fromKind, select, human {dir} other {{from}}} bekommen",
  "activity.event.message.acknowledged":
    "{toKind, select, human {Du hast} other {{to} hat}} {subject} von {fromKind, select, human {dir} other {{from}}} erledigt",
  "activity.event.message.expired":
    "Für {subject} von {fromKind, select, human {dir} other {{from}}} an {toKind, select, human {dich} other {{to}}} lief die Zeit ab",
  "activity.event.message.deferred":
    "{to} will {subject} von {fromKind, select, human {dir} other {{from}}} um {retryAt} noch einmal",
  "activity.event.message.dead_lettered":
    "{to} kam mit {subject} von {fromKind, select, human {dir} other {{from}}} nicht zurecht und hat sie beiseitegelegt",
  "activity.event.message.requeued":
    "{subject} von {fromKind, select, human {dir} other {{from}}} an {toKind, select, human {dich} other {{to}}} bekommt noch eine Chance",
  "activity.event.message.withdrawn":
    "{subject} von {fromKind, select, human {dir} other {{from}}} an {toKind, select, human {dich} other {{to}}} wurde vor der Zustellung zurückgenommen",
  "activity.event.task.created":
    "{createdBy, select, none {Du hast {subject} angelegt} other {{createdByRef} hat {subject} angelegt}}",
  "activity.event.task.updated": "{subject} wurde geändert",
  "activity.event.task.dependencies_changed":
    "Wovon {subject} abhängt, hat sich geändert: {added, plural, =0 {nichts} other {#}} dazu, {removed, plural, =0 {nichts} other {#}} weg{ready, select, true {; jetzt kann sie übernommen werden} other {}}",
  "activity.event.task.dependency_completed":
    "{dependency} ist fertig, damit ist {subject} {ready, select, true {bereit} other {einen Schritt weiter}}",
  "activity.event.task.dependency_cancelled":
    "{dependency} wurde abgesagt, darum bleibt {subject} blockiert, bis jemand sie bearbeitet",
  "activity.event.task.claimed": "{claimedBy} hat {subject} übernommen",
  "activity.event.task.completed": "{claimedBy} hat {subject} fertiggestellt",
  "activity.event.task.released":
    "{reason, select, released {{previousClaimedBy} hat {subject} zurückgegeben} other {{subject} ist wieder frei: die Sitzung von {previousClaimedBy} ist zu Ende}}",
  "activity.event.task.cancelled": "{subject} wurde abgesagt",
  "activity.event.task.progress_added":
    "{kind, select, blocker {{agentId} kommt bei {subject} nicht weiter} note {{agentId} hat bei {subject} etwas vermerkt} other {{agentId} ist bei {subject} vorangekommen}}",
  "activity.event.escalation.created":
    "{urgency, select, high {{agentId} fragt dich dringend: {subject}} other {{agentId} fragt dich: {subject}}}",
  "activity.event.escalation.resolved":
    "{by, select, rule {Eine Regel hat {subject} von {agentId} beantwortet} other {Du hast {subject} von {agentId} beantwortet}}{late, select, true {, nachdem sie abgelaufen war} other {}}",
  "activity.event.escalation.cancelled": "{agentId} hat {subject} zurückgezogen",
  "activity.event.escalation.expired": "{subject} von {agentId} ist ohne Antwort abgelaufen",
  "activity.event.escalation.deferred": "Du hast {subject} von {agentId} bis {deferredUntil} zurückgestellt",
  "activity.event.escalation.shown":
    "{subject} von {agentId} {verdict, select, shown {wurde dir gezeigt} seen {hast du gesehen} dismissed {hast du weggewischt} withdrawn {wurde vom Bildschirm genommen} digest {wurde mit anderen zusammen gemeldet} os_denied {wurde nicht gezeigt: das System erlaubt es nicht} failed {konnte nicht gezeigt werden} other {wurde nicht gezeigt}} ({surface, select, tray {Infobereich} window {Fenster} notification {Mitteilung} cli {Terminal} other {anderswo}})",
  "activity.event.escalation.answer_read": "{agentId} hat deine Antwort auf {subject} gelesen",
  "activity.event.escalation.answer_withdrawn":
    "Du hast deine Antwort auf {subject} zurückgenommen, bevor {agentId} sie las",
  "activity.event.credential.created": "Ein Zugang von außen wurde ausgestellt",
  "activity.event.credential.rotated": "Ein Zugang von außen hat ein neues Geheimnis",
  "activity.event.credential.enabled": "Ein Zugang von außen gilt wieder",
  "activity.event.credential.disabled": "Ein Zugang von außen wurde gesperrt",
  "activity.event.output.stream_created": "Der Ausgabestrom {subject} wurde eröffnet",
  "activity.event.output.stream_removed": "Der Ausgabestrom {subject} wurde entfernt",
  "activity.event.output.publisher_added": "{agentId} darf in {subject} veröffentlichen",
  "activity.event.output.publisher_removed": "{agentId} darf in {subject} nicht mehr veröffentlichen",
  "activity.event.output.published":
    "{producerType, select, agent {{producerId} hat in {subject} veröffentlicht} other {Jemand von außen hat in {subject} veröffentlicht}}",
  "activity.event.a2a.publication_created": "{agentId} wurde für A2A-Clients veröffentlicht",
  "activity.event.a2a.publication_enabled": "{agentId} ist für A2A-Clients wieder sichtbar",
  "activity.event.a2a.publication_disabled": "{agentId} ist für A2A-Clients verborgen",
  "activity.event.a2a.task_created": "Ein A2A-Client hat {agentId} eine Aufgabe gegeben",
  "activity.event.a2a.message_accepted": "Ein A2A-Client hat {agentId} geschrieben: {busMessageId}",
  "activity.event.a2a.task_state_changed":
    "Eine Aufgabe eines A2A-Clients ist jetzt {state, select, submitted {eingereicht} working {in Arbeit} completed {fertig} failed {gescheitert} canceled {abgesagt} rejected {abgelehnt} other {in Erwartung einer Eingabe}}",
};
