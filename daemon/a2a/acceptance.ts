import { IntercomError, operationOf, type ParsedInput, parseInput } from "../../protocol/index.ts";
import { A2aError } from "./errors.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads the body of A2A's SendMessage. Members that say nothing (null, and the empty values that some clients write for
 * what they leave out) count as absent.
 * @throws {A2aError} UNSUPPORTED_OPERATION or CONTENT_TYPE_NOT_SUPPORTED for what A2A knows and this interface does not
 * @throws {IntercomError} INVALID_ARGUMENT for everything else that is wrong
 */
export function readSendMessage(publicationId: string, body: unknown): ParsedInput<"sendA2aMessage"> {
  const { input } = operationOf("sendA2aMessage");
  if (!isObject(body)) throw new IntercomError("INVALID_ARGUMENT", "The body: expected a JSON object");
  const request = withMessage(said(body));
  refuseUnsupported(request);
  refuseOtherThanText(request);
  // The path alone says which publication is meant.
  if ("publicationId" in request) parseInput(input.omit({ publicationId: true }), request);
  return parseInput(input, { ...request, publicationId }) as ParsedInput<"sendA2aMessage">;
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** The members that say something. */
function said(members: Members, keep: readonly string[] = []): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => (keep.includes(name) ? value !== null : !isEmpty(value))),
  );
}

/** What a part may contain; empty content is content. */
const CONTENTS = ["text", "raw", "url", "data"];

function withMessage(request: Members): Members {
  const { message } = request;
  if (!isObject(message)) return request;
  const clean = said(message);
  if (!Array.isArray(clean.parts)) return { ...request, message: clean };
  const parts = clean.parts.map((part: unknown) => (isObject(part) ? said(part, CONTENTS) : part));
  return { ...request, message: { ...clean, parts } };
}

/** Things of A2A that reach further than this interface, by where they stand. */
const UNSUPPORTED: readonly (readonly [place: string, members: readonly string[]])[] = [
  ["", ["metadata"]],
  ["configuration", ["taskPushNotificationConfig", "pushNotificationConfig"]],
  ["message", ["metadata", "extensions", "referenceTaskIds"]],
];

function refuseUnsupported(request: Members): void {
  for (const [place, members] of UNSUPPORTED) {
    const object = place === "" ? request : request[place];
    if (!isObject(object)) continue;
    const found = members.find((member) => object[member] !== undefined && object[member] !== null);
    if (found === undefined) continue;
    const name = place === "" ? found : `${place}.${found}`;
    throw new A2aError("UNSUPPORTED_OPERATION", `${name}: is not supported; expected a message of plain text alone`);
  }
}

function refuseOtherThanText({ message }: Members): void {
  if (!isObject(message) || !Array.isArray(message.parts)) return;
  for (const [index, part] of message.parts.entries()) {
    // The schema has a better word for these.
    if (!isObject(part)) continue;
    const others = Object.keys(part).filter((member) => member !== "text" && KNOWN_OF_PARTS.includes(member));
    const typed = part.mediaType === undefined || part.mediaType === "text/plain";
    if (part.text !== undefined && typed && others.length === 0) continue;
    throw new A2aError("CONTENT_TYPE_NOT_SUPPORTED", `message.parts.${index}: expected text of type text/plain alone`);
  }
}

const KNOWN_OF_PARTS = [...CONTENTS, "filename", "metadata"];
