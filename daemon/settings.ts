import { DEFAULT_PORT, IntercomError, LIMITS } from "../protocol/index.ts";
import type { SettingsFile } from "./settings-file.ts";

/** What the owner of a daemon may set. */
export interface DaemonSettings {
  /** TCP port on loopback, 0 for a free one. */
  readonly port: number;
  /** Port of the listener for clients of October Bus 0.1, 0 for a free one; there is none unless it is set. */
  readonly octoberBusPort: number | undefined;
  /** Origins whose pages may read and publish outputs, each exactly as a browser sends it. */
  readonly allowedOrigins: readonly string[];
  /** Where A2A clients reach this daemon when that is not the address it listens on; no slash at the end. */
  readonly publicUrl: string | undefined;
  /** Unfinished messages, and bytes of them, one A2A principal may have. */
  readonly a2aMessageLimit: number;
  readonly a2aByteLimit: number;
}

/**
 * Decides each setting: what whoever starts the daemon says, then the environment, then the settings file, then the default.
 * @param given what was said at the start; `undefined` counts as nothing
 * @throws {IntercomError} INVALID_ARGUMENT that names the setting
 */
export function resolveSettings(
  given: { readonly [K in keyof DaemonSettings]?: DaemonSettings[K] | undefined },
  env: NodeJS.ProcessEnv,
  file: SettingsFile,
): DaemonSettings {
  const settings: DaemonSettings = {
    port: given.port ?? portFrom(env, "AGENT_INTERCOM_PORT") ?? file.port ?? DEFAULT_PORT,
    octoberBusPort: given.octoberBusPort ?? portFrom(env, "AGENT_INTERCOM_OCTOBER_BUS_PORT") ?? file.octoberBusPort,
    allowedOrigins: given.allowedOrigins ?? file.allowedOrigins ?? [],
    publicUrl: given.publicUrl ?? file.publicUrl,
    a2aMessageLimit: given.a2aMessageLimit ?? file.a2a?.messagesPerPrincipal ?? LIMITS.a2aMessagesPerPrincipal,
    a2aByteLimit: given.a2aByteLimit ?? file.a2a?.bytesPerPrincipal ?? LIMITS.a2aBytesPerPrincipal,
  };
  if (settings.octoberBusPort === settings.port && settings.port !== 0) {
    throw new IntercomError(
      "INVALID_ARGUMENT",
      `octoberBusPort: expected another port than ${settings.port}, which is the daemon's own`,
    );
  }
  return settings;
}

function portFrom(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const value = env[name];
  if (value === undefined || value === "") return undefined;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new IntercomError("INVALID_ARGUMENT", `${name}: expected a whole number from 0 to 65535, got ${value}`);
}
