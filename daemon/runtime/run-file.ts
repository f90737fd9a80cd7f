import { z } from "zod";
import { readPrivateFile, unlinkQuietly, writePrivateFile } from "./private-file.ts";

/** Who started a daemon, and therefore who looks after it. */
export const DAEMON_OWNERS = ["cli", "desktop", "service"] as const;
export type DaemonOwner = (typeof DAEMON_OWNERS)[number];

const runFile = z.strictObject({
  address: z.url({ protocol: /^https?$/ }),
  /** Where clients of October Bus 0.1 find the daemon, when they may. */
  octoberBusAddress: z.url({ protocol: /^https?$/ }).optional(),
  pid: z.int().positive(),
  instanceId: z.string().min(1),
  version: z.string().min(1),
  protocolVersion: z.string().min(1),
  /** Version of the database schema. */
  schema: z.int().nonnegative(),
  startedAt: z.iso.datetime(),
  owner: z.enum(DAEMON_OWNERS),
  adminToken: z.string().regex(/^[A-Za-z0-9_-]{32,256}$/),
});

/** What a running daemon leaves for the programs of its user: where it is, what it speaks, and the admin credential. */
export type RunFile = z.output<typeof runFile>;

export type RunFileReading =
  | { readonly state: "absent" }
  /** Something is there, and following it could hand our credential to a stranger. */
  | { readonly state: "untrusted"; readonly reason: string }
  | { readonly state: "present"; readonly run: RunFile };

/** Replaces the run file in one step: a reader sees the old or the new one, and only the owner can read it. */
export function writeRunFile(path: string, content: RunFile): void {
  writePrivateFile(path, runFile.parse(content));
}

/** Reads the run file only if nobody but the current user can have written it. Never throws. */
export function readRunFile(path: string): RunFileReading {
  const reading = readPrivateFile(path, runFile);
  return reading.state === "present" ? { state: "present", run: reading.content } : reading;
}

/** Removes the run file if it is still the one of `instanceId`; tells whether it did. */
export function removeRunFile(path: string, instanceId: string): boolean {
  const reading = readRunFile(path);
  if (reading.state !== "present" || reading.run.instanceId !== instanceId) return false;
  return unlinkQuietly(path);
}
