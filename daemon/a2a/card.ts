import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type PublishedCard, publishedCard } from "../core/index.ts";
import { type DirectHandler, sendJson } from "../http/index.ts";
import type { A2aServices } from "./services.ts";

/**
 * Shows the Agent Card of a publication to everybody, so that what they have read may be kept and asked about again.
 * There is no A2A error for a card that is not there: that answer is the door's.
 */
export function cardHandler({ engine }: A2aServices): DirectHandler {
  return async (call, request, response) => {
    const leave = engine.admit("getAgentCard");
    let published: PublishedCard;
    try {
      published = await engine.transact("read", (ctx) => publishedCard(ctx, String(call.input.publicationId)));
    } finally {
      leave();
    }
    const { card, modifiedAt } = published;
    const etag = `"${hash("sha256", JSON.stringify(card), "hex")}"`;
    const headers = {
      "Cache-Control": "public, max-age=0",
      ETag: etag,
      "Last-Modified": new Date(modifiedAt).toUTCString(),
    };
    if (isKnown(request, etag, modifiedAt)) response.writeHead(304, headers).end();
    else sendJson(response, 200, card, headers);
  };
}

/** Whether the client has this very card already. Its tag says more than its date (RFC 9110, 13.2.2). */
function isKnown(request: IncomingMessage, etag: string, modifiedAt: number): boolean {
  const tags = request.headers["if-none-match"];
  if (tags !== undefined) {
    return tags.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
  }
  const since = Date.parse(request.headers["if-modified-since"] ?? "");
  // Dates of HTTP have no milliseconds.
  return Math.floor(modifiedAt / 1000) * 1000 <= since;
}
