import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ContextItem } from "../protocol/index.ts";
import { usageError } from "./errors.ts";

/** Context of a message or question: texts as they are, files and web pages by name. Nothing is read or fetched. */
export function contextItems(texts: readonly string[] = [], attachments: readonly string[] = []): ContextItem[] {
  return [...texts.map((text) => ({ kind: "text" as const, title: "Context", text })), ...attachments.map(attachment)];
}

function attachment(item: string): ContextItem {
  if (item.startsWith("file:") && !item.startsWith("file://")) {
    const path = item.slice("file:".length);
    return { kind: "file", title: path, uri: pathToFileURL(resolve(path)).href };
  }
  if (URL.canParse(item))
    return { kind: item.startsWith("file://") ? "file" : "url", title: item.slice(0, 500), uri: item };
  throw usageError(`--attach: expected file:PATH or a URL, got ${item}`);
}
