import { type Platform, pathsOf } from "./environment.ts";
import { ConnectError } from "./error.ts";
import {
  type ClientProfile,
  type Entry,
  type EntryValue,
  REFERENCES,
  TOKEN_VARIABLE,
  type Transport,
} from "./profile.ts";

/** How a client starts our command. */
export interface Launcher {
  /** Absolute path of a program that can be started without a shell. */
  readonly command: string;
  /** What comes before our own arguments, e.g. the script when `command` is Node. */
  readonly args?: readonly string[];
}

/** What an entry is made of on one machine. */
export interface EntryRequest {
  readonly platform: Platform;
  readonly launcher: Launcher;
  /** Base address of the daemon, e.g. `http://127.0.0.1:4766`. */
  readonly address: string;
  readonly scope?: string | undefined;
  /** Where the daemon leaves its run file, when the client's environment would not lead there. */
  readonly runtimeDir?: string | undefined;
}

/** An entry with what belongs to the connection kept apart from what the user may change afterwards. */
export interface BuiltEntry {
  readonly transport: Transport;
  readonly entry: Entry;
  readonly defaults: Entry;
}

/** @throws {ConnectError} NOT_OFFERED when the client has no such transport, with the reason. */
export function buildEntry(profile: ClientProfile, transport: Transport, request: EntryRequest): BuiltEntry {
  const { http } = profile;
  if (transport === "http" && "unavailable" in http) throw new ConnectError("NOT_OFFERED", http.unavailable);
  if (!pathsOf(request.platform).isAbsolute(request.launcher.command)) {
    throw new ConnectError("NOT_OFFERED", `The launcher must be an absolute path, not ${request.launcher.command}.`);
  }
  if (transport === "stdio" || "unavailable" in http) {
    const { entry, defaults } = profile.stdio;
    return { transport, entry: fill(entry, known(profile, request, "")), defaults };
  }
  return {
    transport,
    entry: fill(http.entry, known(profile, request, REFERENCES[http.reference])),
    defaults: http.defaults,
  };
}

interface Known {
  readonly args: readonly string[];
  readonly words: Readonly<Record<string, string>>;
}

function known(profile: ClientProfile, { launcher, scope, runtimeDir, address }: EntryRequest, token: string): Known {
  return {
    args: [
      ...(launcher.args ?? []),
      ...["mcp", "--client", profile.id],
      ...(scope === undefined ? [] : ["--scope", scope]),
      ...(runtimeDir === undefined ? [] : ["--runtime-dir", runtimeDir]),
    ],
    words: { command: launcher.command, url: new URL("/mcp", address).href, token },
  };
}

function fill(template: Entry, facts: Known): Entry {
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fillValue(value, facts)]));
}

function fillValue(template: EntryValue, facts: Known): EntryValue {
  if (typeof template === "string") {
    return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => facts.words[name] ?? whole);
  }
  if (Array.isArray(template)) {
    return template.flatMap((item) => (item === "{args}" ? [...facts.args] : [fillValue(item, facts)]));
  }
  return typeof template === "object" ? { ...fill(template, facts) } : template;
}

/** An entry for a client that has none, or one that is not ours. */
export function freshEntry({ entry, defaults }: BuiltEntry): Record<string, EntryValue> {
  return { ...entry, ...defaults };
}

/**
 * An entry of ours brought up to date: what makes the connection is set again, and everything else the user has changed,
 * added or taken out stays so. Going over to the other transport begins anew, since clients refuse a mixture.
 */
export function updatedEntry(
  built: BuiltEntry,
  current: Readonly<Record<string, unknown>>,
): Record<string, EntryValue> {
  if (transportOf(current) !== built.transport) return freshEntry(built);
  return { ...(current as Record<string, EntryValue>), ...built.entry };
}

export function transportOf(entry: unknown): Transport {
  return stringsIn(entry).some(isOurUrl) ? "http" : "stdio";
}

/** Whose entry it is: ours for this client, ours but written for another client that reads the same file, or not ours. */
export function ownerOf(value: unknown, profile: ClientProfile): "ours" | "other-client" | "foreign" {
  const strings = stringsIn(value);
  const at = strings.findIndex((text, index) => text === "mcp" && strings[index + 1] === "--client");
  if (at >= 0) return strings[at + 2] === profile.id ? "ours" : "other-client";
  const isHttp = strings.some(isOurUrl) && strings.some((text) => text.includes(TOKEN_VARIABLE) && !URL.canParse(text));
  return isHttp ? "ours" : "foreign";
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function isOurUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ["http:", "https:"].includes(url.protocol) && url.pathname === "/mcp";
}
