import { hash } from "node:crypto";
import { type Dirent, existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";

/** A file of the user interface, as it was when the files were read. */
export interface UiFile {
  readonly type: string;
  readonly content: Buffer;
  /** Strong, without quotes. */
  readonly tag: string;
  /** Its name changes with its content. */
  readonly immutable: boolean;
  readonly compressible: boolean;
}

/** Files by their path below `/ui/`, percent-encoded as a request has it. */
export type UiFiles = ReadonlyMap<string, UiFile>;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".map": "application/json",
  ".txt": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};
const COMPRESSIBLE = new Set([".html", ".js", ".css", ".svg", ".json", ".map", ".txt"]);
/** Below this compression saves less than its headers cost, bytes. */
const WORTH_COMPRESSING = 1024;
/** The page everything else is loaded from. */
const INDEX = "index.html";
const ASSETS = "assets/";

/**
 * Reads the whole user interface, so that no path of a request ever reaches the disk. Only plain files of known types
 * count; what a link points to is not ours to show.
 * @returns undefined when there is none
 */
export function readUiFiles(directory: string): UiFiles | undefined {
  const files = new Map<string, UiFile>();
  for (const entry of entriesOf(directory)) {
    const extension = extname(entry.name);
    const type = TYPES[extension];
    if (!entry.isFile() || type === undefined) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(directory, file).split(sep).map(encodeURIComponent).join("/");
    const content = readFileSync(file);
    files.set(path === INDEX ? "" : path, {
      type,
      content,
      tag: hash("sha256", content, "base64url").slice(0, 27),
      immutable: path.startsWith(ASSETS),
      compressible: COMPRESSIBLE.has(extension) && content.length >= WORTH_COMPRESSING,
    });
  }
  return files.has("") ? files : undefined;
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Where the user interface is built to: `dist/ui`, seen from the daemon as compiled (`dist/daemon/ui`), as bundled for the
 * desktop (`dist/desktop`), or as sources.
 */
export function defaultUiDirectory(): string {
  const here = import.meta.dirname;
  const inCheckout = join(here, "..", "..", "dist", "ui");
  const candidates = [join(here, "..", "..", "ui"), join(here, "..", "ui")];
  return candidates.find((directory) => existsSync(join(directory, INDEX))) ?? inCheckout;
}
