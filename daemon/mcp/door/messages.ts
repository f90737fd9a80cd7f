import { PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";
import type { SessionClaims } from "./session-ids.ts";

/** What the door has to see of messages in order to send them the right way. The SDK checks them afterwards. */

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Whether a message says itself that it is of the modern era, as all of its clients' do. */
export function claimsModern(body: unknown): boolean {
  return field(field(field(body, "params"), "_meta"), PROTOCOL_VERSION_META_KEY) !== undefined;
}

export function isInitialize(body: unknown): boolean {
  return field(body, "method") === "initialize" && field(body, "id") !== undefined;
}

export function isListen(body: unknown): boolean {
  return field(body, "method") === "subscriptions/listen";
}

/** What a client says of itself when it begins a session, as far as it has to be remembered. */
export function initializeClaims(body: unknown): Omit<SessionClaims, "key" | "issuedAt"> {
  const params = field(body, "params");
  const client = field(params, "clientInfo");
  return {
    protocolVersion: text(field(params, "protocolVersion")),
    elicits: field(field(params, "capabilities"), "elicitation") !== undefined,
    clientName: text(field(client, "name")),
    clientVersion: text(field(client, "version")),
  };
}

function text(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 64) : "";
}
