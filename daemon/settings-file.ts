import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { IntercomError, isIntercomError, parseInput, utf8Length } from "../protocol/index.ts";
import { isLoopbackHost } from "./http/index.ts";

const MAX_BYTES = 64 * 1024;
const MAX_URL_BYTES = 4096;

function integer(min: number, max: number) {
  const error = `expected a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

const port = integer(0, 65_535);

const origin = z.string({ error: "expected an origin such as https://app.example" }).refine(isOrigin, {
  error: "expected an origin exactly as a browser sends it, such as https://app.example",
});

/** A browser sends scheme, host and other than usual port, in lower case, and nothing after them. */
function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  if (url === null) return false;
  // Pages of extensions have schemes of their own, whose URLs have no origin for Node.
  if (url.origin === "null") return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+$/.test(value) && url.protocol !== "file:";
  return url.origin === value && /^https?:$/.test(url.protocol);
}

const publicUrl = z.string({ error: "expected a URL" }).transform((value, ctx) => {
  const url = URL.parse(value);
  const problem = url === null ? "expected a URL such as https://agents.example" : urlProblem(value, url);
  if (problem === undefined && url !== null) return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  ctx.addIssue({ code: "custom", message: problem ?? "expected a URL" });
  return z.NEVER;
});

function urlProblem(value: string, url: URL): string | undefined {
  if (utf8Length(value) > MAX_URL_BYTES) return `expected at most ${MAX_URL_BYTES} bytes`;
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackHost(url.hostname))) {
    return "expected https, or http with a loopback host";
  }
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  if (/[?#]/.test(value)) return "must not contain a query or fragment";
  return undefined;
}

const settingsFile = z.strictObject({
  port: port.optional(),
  octoberBusPort: port.optional(),
  allowedOrigins: z.array(origin, { error: "expected a list of origins" }).optional(),
  publicUrl: publicUrl.optional(),
  a2a: z
    .strictObject(
      {
        messagesPerPrincipal: integer(1, 9999).optional(),
        bytesPerPrincipal: integer(1, 655_294_464).optional(),
      },
      // Of a field that is not known the parser tells more than this could.
      { error: (issue) => (issue.code === "invalid_type" ? "expected an object" : undefined) },
    )
    .optional(),
});

/** What the owner has written down for every start. */
export type SettingsFile = z.output<typeof settingsFile>;

/**
 * Reads the settings file; there need not be one.
 * @throws {IntercomError} INVALID_ARGUMENT that names the file and the field that is wrong
 */
export function readSettingsFile(path: string): SettingsFile {
  const text = readText(path);
  if (text === undefined) return {};
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw unusable(path, `it is not valid JSON (${error instanceof Error ? error.message : String(error)})`, error);
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw unusable(path, "expected a JSON object");
  }
  try {
    return parseInput(settingsFile, data);
  } catch (error) {
    if (isIntercomError(error)) throw unusable(path, error.message, error);
    throw error;
  }
}

function readText(path: string): string | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw unusable(path, "it is not a file");
    if (stats.size > MAX_BYTES) throw unusable(path, `it is larger than ${MAX_BYTES} bytes`);
    // Some editors begin a file with a byte order mark, which JSON does not know.
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (isIntercomError(error)) throw error;
    throw unusable(path, `it cannot be read (${code ?? "unknown error"})`, error);
  }
}

function unusable(path: string, problem: string, cause?: unknown): IntercomError {
  const message = `The settings file ${path} cannot be used: ${problem.replace(/[.!?]$/, "")}. The daemon was not started.`;
  return new IntercomError("INVALID_ARGUMENT", message, { reason: "settings", file: path }, { cause });
}
