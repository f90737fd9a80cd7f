import { IntercomError } from "../../protocol/index.ts";
import type { Mount, MountedRequest } from "../http/index.ts";
import { Compression } from "./compression.ts";
import { readUiFiles, type UiFiles } from "./files.ts";
import { setProtectiveHeaders } from "./headers.ts";
import { serveMissingPage } from "./missing-page.ts";
import { serveFile } from "./serve-file.ts";
import { SessionEndpoint, type SessionServices } from "./session.ts";

const METHODS = ["GET", "HEAD"];
const BASE = "/ui/";

export interface UiServices extends SessionServices {
  /** Where the built user interface is. */
  readonly directory: string;
}

export interface UiDoor {
  /** Answers below `/ui`. */
  mountAt(path: string): Mount | undefined;
}

/** The user interface for browsers. Its files are read when it is first looked at, since most daemons are not. */
export function createUiDoor({ directory, ...services }: UiServices): UiDoor {
  const sessions = new SessionEndpoint(services);
  const compression = new Compression();
  let files: UiFiles | undefined;

  async function serve({ path, request, response }: MountedRequest): Promise<void> {
    if (!METHODS.includes(request.method ?? "")) {
      throw new IntercomError("METHOD_NOT_ALLOWED", `Expected ${METHODS.join(" or ")}`, { allow: METHODS });
    }
    if (path === "/ui") {
      response.writeHead(308, { Location: BASE, "Cache-Control": "no-store", "Content-Length": 0 }).end();
      return;
    }
    // Once they are there they stay as they are; until then somebody may be building them.
    files ??= readUiFiles(directory);
    const name = path.slice(BASE.length);
    if (!files && name === "") return serveMissingPage(request, response);
    const file = files?.get(name);
    if (!file) throw new IntercomError("NOT_FOUND", "Route not found");
    await serveFile(file, compression, request, response);
  }

  const mount: Mount = async (mounted) => {
    setProtectiveHeaders(mounted.response);
    await (mounted.path === "/ui/session" ? sessions.answer(mounted) : serve(mounted));
  };
  return { mountAt: (path) => (path === "/ui" || path.startsWith(BASE) ? mount : undefined) };
}
