import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { CONTENT_SECURITY_POLICY } from "./csp.ts";

/** Scheme and host of our pages; no other address is ever loaded. */
export const PAGE_SCHEME = "app";
export const PAGE_HOST = "ui";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** The files there are, by the path of their address. Read once: what appears later is not served. */
export type PageFiles = ReadonlyMap<string, { readonly file: string; readonly type: string }>;

/** @throws {Error} when the folder cannot be read: then the app was not built */
export function listPages(folder: string): PageFiles {
  const files = new Map<string, { file: string; type: string }>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const type = TYPES[extname(entry.name)];
    if (entry.isFile() && type) files.set(`/${relative(folder, file).split(sep).join("/")}`, { file, type });
  }
  return files;
}

/**
 * Answers a request for a page or its parts. Only an exact name of the list is served, so there is nothing to normalise that
 * could lead out of the folder.
 */
export async function servePage({ url, method }: Pick<Request, "url" | "method">, files: PageFiles): Promise<Response> {
  if (method !== "GET" && method !== "HEAD") return refusal(405);
  const address = URL.parse(url);
  if (address?.protocol !== `${PAGE_SCHEME}:` || address.host !== PAGE_HOST || address.username || address.password) {
    return refusal(403);
  }
  const found = files.get(address.pathname);
  if (!found) return refusal(404);
  const body = method === "HEAD" ? null : new Uint8Array(await readFile(found.file));
  return new Response(body, { headers: { ...HEADERS, "Content-Type": found.type } });
}

const HEADERS = {
  "Content-Security-Policy": CONTENT_SECURITY_POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

function refusal(status: number): Response {
  return new Response(null, { status, headers: HEADERS });
}

/** True for an address of one of our pages. */
export function isPageAddress(url: string): boolean {
  const address = URL.parse(url);
  return (
    address?.protocol === `${PAGE_SCHEME}:` && address.host === PAGE_HOST && !address.username && !address.password
  );
}
