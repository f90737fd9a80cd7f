import type { ContextItem, MessageMode } from "../../protocol/index.ts";
import { contentHash } from "./encoding.ts";

/** What makes a message the same one when its idempotency key comes again. */
export interface MessageContent {
  readonly to: string;
  readonly toKind?: string | undefined;
  readonly body: string;
  readonly mode: MessageMode;
  readonly responseTo?: string | undefined;
  readonly expiresInMs?: number | undefined;
  readonly context?: readonly ContextItem[] | undefined;
}

export function messageHash(content: MessageContent): string {
  return contentHash([
    content.to,
    // An answer goes to whoever has asked, whether or not the caller says what kind of party that is.
    content.mode === "response" ? null : (content.toKind ?? "agent"),
    content.body,
    content.mode,
    content.responseTo ?? null,
    content.expiresInMs ?? 0,
    content.context ?? [],
  ]);
}
