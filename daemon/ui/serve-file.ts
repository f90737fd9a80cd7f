import type { IncomingMessage, ServerResponse } from "node:http";
import { acceptedEncoding, type Compression } from "./compression.ts";
import type { UiFile } from "./files.ts";

/** A year in seconds: the longest a cache is asked to keep anything. */
const FOREVER = "public, max-age=31536000, immutable";

/** Answers a GET or HEAD with a file. */
export async function serveFile(
  file: UiFile,
  compression: Compression,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const encoding = file.compressible ? acceptedEncoding(request.headers["accept-encoding"]) : undefined;
  const content = encoding ? await compression.content(file, encoding) : file.content;
  // Other bytes, other tag: it is a strong one.
  const tag = `"${file.tag}${encoding ? `-${encoding}` : ""}"`;
  const headers: Record<string, string | number> = {
    // A page that is kept would ask for assets of a former build.
    "Cache-Control": file.immutable ? FOREVER : "no-store",
    ETag: tag,
    ...(file.compressible ? { Vary: "Accept-Encoding" } : {}),
  };
  if (isKnown(request.headers["if-none-match"], tag)) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, {
    ...headers,
    "Content-Type": file.type,
    "Content-Length": content.length,
    ...(encoding ? { "Content-Encoding": encoding } : {}),
  });
  response.end(request.method === "HEAD" ? undefined : content);
}

function isKnown(header = "", tag: string): boolean {
  return header.split(",").some((each) => each.trim() === tag || each.trim() === "*");
}
