export type { Application, Guest, Visit } from "./application.ts";
export { sendWebResponse } from "./send.ts";
export { Serving } from "./serving.ts";
export { SESSION_MAX_AGE_S, SessionIds } from "./session-ids.ts";
export { type EndedSessions, Sessions } from "./sessions.ts";
