import { isDeepStrictEqual } from "node:util";
import { editConfig, parseConfig } from "./edit/edit.ts";
import { isTable, type KeyPath, valueAt } from "./edit/editor.ts";
import { type BuiltEntry, freshEntry, ownerOf, transportOf, updatedEntry } from "./entry.ts";
import { ConnectError } from "./error.ts";
import { type ConfigFile, readConfigFile } from "./file/config-file.ts";
import { type ClientProfile, type Entry, SERVER_NAME, type Transport } from "./profile.ts";

/** What the configuration of a client says about us. */
export type Connection =
  | { readonly state: "absent" }
  | {
      readonly state: "connected";
      readonly transport: Transport;
      readonly entry: Entry;
      readonly isOff: boolean;
    }
  /** Our name is taken, by something else or for another client that reads the same file. */
  | { readonly state: "taken"; readonly by: "other-client" | "foreign" };

/** A change to a client's configuration that has been worked out but not made. */
export interface Plan {
  readonly action: "add" | "update" | "remove" | "none";
  readonly profile: ClientProfile;
  readonly file: ConfigFile;
  /** The entry afterwards. */
  readonly entry: Entry | undefined;
  /** The whole text afterwards. */
  readonly text: string;
}

/** Keys that lead to our entry. */
export function entryPath({ root }: ClientProfile): KeyPath {
  return [...root, SERVER_NAME];
}

/** @throws {ConnectError} when the file cannot be read */
export function inspect(profile: ClientProfile, path: string): Connection {
  return connectionIn(profile, currentEntry(profile, readConfigFile(path)));
}

/**
 * Works out how to connect a client.
 * @param force also replace an entry of our name that is not ours
 * @throws {ConnectError} FOREIGN_ENTRY, BROKEN_FILE, UNEDITABLE, UNWRITABLE
 */
export function planConnect(profile: ClientProfile, path: string, built: BuiltEntry, force = false): Plan {
  const file = readConfigFile(path);
  const current = currentEntry(profile, file);
  const connection = connectionIn(profile, current);
  if (connection.state === "taken" && !force) throw taken(profile, path, connection.by);
  const entry = connection.state === "connected" ? updatedEntry(built, connection.entry) : freshEntry(built);
  if (isDeepStrictEqual(current, entry)) return { action: "none", profile, file, entry, text: file.text };
  const action = current === undefined ? "add" : "update";
  return { action, profile, file, entry, text: edit(profile, file, entry) };
}

/** Works out how to disconnect a client. Errors are those of {@link planConnect}. */
export function planRemove(profile: ClientProfile, path: string, force = false): Plan {
  const file = readConfigFile(path);
  const connection = connectionIn(profile, currentEntry(profile, file));
  const nothing = { action: "none", profile, file, entry: undefined, text: file.text } as const;
  if (connection.state === "absent") return nothing;
  if (connection.state === "taken" && !force) throw taken(profile, path, connection.by);
  return { ...nothing, action: "remove", text: edit(profile, file, undefined) };
}

/** What an entry looks like in a file of its own. */
export function snippet(profile: ClientProfile, entry: Entry): string {
  return editConfig({ format: profile.format, file: profile.name, text: "" }, entryPath(profile), entry);
}

/** @throws {ConnectError} BROKEN_FILE */
export function currentEntry(profile: ClientProfile, { path, text }: ConfigFile): unknown {
  const config = parseConfig({ format: profile.format, file: path, text });
  for (let depth = 1; depth <= profile.root.length; depth += 1) {
    const table = valueAt(config, profile.root.slice(0, depth));
    if (table === undefined || table === null) return undefined;
    if (!isTable(table)) {
      const name = profile.root.slice(0, depth).join(".");
      throw new ConnectError("BROKEN_FILE", `${path} cannot be used: expected a table of servers at ${name}.`);
    }
  }
  return valueAt(config, entryPath(profile));
}

function connectionIn(profile: ClientProfile, current: unknown): Connection {
  if (current === undefined) return { state: "absent" };
  const owner = isTable(current) ? ownerOf(current, profile) : "foreign";
  if (owner !== "ours") return { state: "taken", by: owner };
  const entry = current as Entry;
  return { state: "connected", transport: transportOf(entry), entry, isOff: isOff(entry) };
}

/** True when the user has switched the server off in the client. */
export function isOff(entry: Entry | undefined): boolean {
  return entry?.enabled === false || entry?.disabled === true;
}

function edit(profile: ClientProfile, { path, text }: ConfigFile, entry: Entry | undefined): string {
  return editConfig({ format: profile.format, file: path, text }, entryPath(profile), entry);
}

function taken({ name }: ClientProfile, path: string, by: "other-client" | "foreign"): ConnectError {
  const whose =
    by === "foreign"
      ? `an entry "${SERVER_NAME}" that is not Agent Intercom's`
      : `an entry "${SERVER_NAME}" of Agent Intercom's for another client than ${name}`;
  return new ConnectError("FOREIGN_ENTRY", `${path} already has ${whose}.`);
}
