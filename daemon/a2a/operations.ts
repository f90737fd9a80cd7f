import { IDENTIFIER_PATTERN, IntercomError, operationOf, parseInput } from "../../protocol/index.ts";
import { type Credentials, checkA2aClient } from "../core/index.ts";
import { type DirectHandler, readJson } from "../http/index.ts";
import { readSendMessage } from "./acceptance.ts";
import { A2aError } from "./errors.ts";
import { A2A_MEDIA_TYPE, answer } from "./respond.ts";
import type { A2aServices } from "./services.ts";

const VERSION = "1.0";
const VERSION_PARAMETER = "A2A-Version";

/** The credential comes first: a stranger learns nothing of what this interface can do. */
export async function admitClient(
  services: A2aServices,
  credentials: Credentials,
  publicationId: string,
): Promise<void> {
  await services.engine.transact("read", (ctx) => checkA2aClient(ctx, credentials, publicationId));
}

/** Takes a message of a client of the publication. */
export function sendMessageHandler(services: A2aServices): DirectHandler {
  return (call, request, response) =>
    answer(services.logger, request, response, async () => {
      const publicationId = String(call.input.publicationId);
      await admitClient(services, call.credentials, publicationId);
      checkVersion(request.headers[VERSION_PARAMETER.toLowerCase()] ?? call.input[VERSION_PARAMETER]);
      checkContentType(request.headers["content-type"]);
      const input = readSendMessage(publicationId, await readJson(request));
      return services.perform("sendA2aMessage", { ...call, input });
    });
}

/** Shows a client one of its tasks. */
export function getTaskHandler(services: A2aServices): DirectHandler {
  return (call, request, response) =>
    answer(services.logger, request, response, async () => {
      const { [VERSION_PARAMETER]: version, ...fields } = call.input;
      await admitClient(services, call.credentials, String(fields.publicationId));
      checkVersion(request.headers[VERSION_PARAMETER.toLowerCase()] ?? version);
      if (!IDENTIFIER_PATTERN.test(String(fields.taskId))) {
        throw new IntercomError("NOT_FOUND", "There is no task of that id");
      }
      const input = parseInput(operationOf("getA2aTask").input, fields);
      return services.perform("getA2aTask", { ...call, input });
    });
}

/** A client of 0.1 names no version. */
function checkVersion(version: unknown): void {
  if (version === undefined || version === "" || version === VERSION) return;
  throw new A2aError("VERSION_NOT_SUPPORTED", `${VERSION_PARAMETER}: expected ${VERSION}`);
}

function checkContentType(header: string | undefined): void {
  const type = header?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json" || type === A2A_MEDIA_TYPE) return;
  throw new A2aError("CONTENT_TYPE_NOT_SUPPORTED", `Content-Type: expected application/json or ${A2A_MEDIA_TYPE}`);
}
