import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { isIntercomError } from "../../../protocol/index.ts";
import { asCallerError } from "../../http/index.ts";
import type { Parts } from "../server.ts";
import { MIME_TYPE, RESOURCES, TEMPLATES } from "./listing.ts";
import { parseUri, readTarget } from "./resource.ts";

/** Lists resources, reads them, and tells a session of changes it wants to hear of. */
export function serveResources({ server, changes, handling }: Parts): void {
  server.setRequestHandler("resources/list", () => RESOURCES);
  server.setRequestHandler("resources/templates/list", () => TEMPLATES);
  server.setRequestHandler("resources/read", async (request, context) => {
    const { uri } = request.params;
    const target = parseUri(uri);
    if (!target) throw new ResourceNotFoundError(uri);
    try {
      const value = await readTarget(target, handling(context).call);
      return { contents: [{ uri, mimeType: MIME_TYPE, text: JSON.stringify(value) }] };
    } catch (error) {
      if (isIntercomError(error, "NOT_FOUND")) throw new ResourceNotFoundError(uri);
      const { code, message } = asCallerError(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message}`);
    }
  });
  if (!changes) return;
  const wanted = new Set<string>();
  let watching = false;
  server.setRequestHandler("resources/subscribe", async (request, context) => {
    const { uri } = request.params;
    if (!parseUri(uri)) throw new ResourceNotFoundError(uri);
    const { member, visit } = handling(context);
    const { session } = visit;
    if (!session) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "Subscriptions need a session");
    // Known from here on: what changes after the answer is told.
    await member.credentials();
    wanted.add(uri);
    if (!watching) {
      watching = true;
      const tell = (changed: string) => void server.sendResourceUpdated({ uri: changed }).catch(() => {});
      await changes.watch({ member, wants: (changed) => wanted.has(changed), changed: tell }, session.closed);
    }
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", (request) => {
    wanted.delete(request.params.uri);
    return {};
  });
}
