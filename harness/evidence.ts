import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const FOLDER = "evidence";
const MAX_FILES = 500;

const evidence = z.strictObject({
  client: z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/),
  clientVersion: z.string().min(1).max(100),
  platform: z.string().min(1),
  arch: z.string().min(1),
  date: z.iso.datetime(),
  productVersion: z.string().min(1),
  checks: z.array(z.strictObject({ name: z.string().min(1), ok: z.boolean(), detail: z.string().optional() })).min(1),
});

/** What one round trip with one version of a client has shown, on this machine. */
export type Evidence = z.output<typeof evidence>;

/**
 * Writes evidence into the data directory, in place of earlier evidence of the same client and version.
 * @returns the file's path
 */
export function writeEvidence(dataDir: string, found: Evidence): string {
  const content = `${JSON.stringify(evidence.parse(found), null, 2)}\n`;
  const folder = join(dataDir, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${found.client}-${found.clientVersion.replaceAll(/[^\w.-]/g, "-")}.json`);
  const draft = join(folder, `.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return path;
}

/** The latest evidence of each client. What cannot be read, or is no evidence, shows nothing. */
export function readEvidence(dataDir: string): Map<string, Evidence> {
  const latest = new Map<string, Evidence>();
  for (const found of filesIn(join(dataDir, FOLDER)).flatMap(readOne)) {
    const other = latest.get(found.client);
    if (other === undefined || Date.parse(other.date) < Date.parse(found.date)) latest.set(found.client, found);
  }
  return latest;
}

/** True when all went well. */
export function isGood({ checks }: Pick<Evidence, "checks">): boolean {
  return checks.every(({ ok }) => ok);
}

function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return names.slice(0, MAX_FILES).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function readOne(path: string): Evidence[] {
  try {
    return [evidence.parse(JSON.parse(readFileSync(path, "utf8")))];
  } catch {
    return [];
  }
}
