import { z } from "zod";
import { ERROR_CODES } from "../errors.ts";

// What the desktop's main process and the daemon it starts say to each other over their private port. Nothing of it ever goes
// through arguments or the environment, which other programs of this user can read.

const place = z.string().min(1);

/** What the main process sends. `start` comes first and once. */
export const hostRequest = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("start"),
    dataDir: place,
    runtimeDir: place,
    /** The daemon stops by itself when this process is gone. */
    parentPid: z.int().positive(),
  }),
  /** Asks whether the daemon's event loop still turns; the answer has the same `id`. */
  z.strictObject({ kind: z.literal("beat"), id: z.int().nonnegative() }),
  z.strictObject({ kind: z.literal("shutdown") }),
]);
export type HostRequest = z.output<typeof hostRequest>;

/** Who the daemon is and how to reach it. */
export const handshake = z.strictObject({
  protocol: z.string().min(1),
  version: z.string().min(1),
  /** Version of the database schema. */
  schema: z.int().nonnegative(),
  pid: z.int().positive(),
  address: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ }),
  instanceId: z.string().min(1),
  adminToken: z.string().min(32),
});
export type Handshake = z.output<typeof handshake>;

/** What the daemon sends. */
export const hostReport = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ready"), handshake }),
  /** Starting has failed; the process ends. */
  z.strictObject({
    kind: z.literal("failed"),
    error: z.strictObject({
      code: z.enum(ERROR_CODES as [(typeof ERROR_CODES)[number], ...(typeof ERROR_CODES)[number][]]),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).exactOptional(),
    }),
  }),
  z.strictObject({ kind: z.literal("beat"), id: z.int().nonnegative() }),
  /** It has stopped in good order, whoever asked for it; the process ends. */
  z.strictObject({ kind: z.literal("stopped") }),
]);
export type HostReport = z.output<typeof hostReport>;
