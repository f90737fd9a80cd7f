// Every request of a page stops here first: the app's navigation guards, its webRequest listeners and its scheme handlers
// decide as they would in Electron, in that order.
import process from "node:process";
import type { EventOf, Session } from "../chromium/protocol.ts";
import type { HostWebRequest } from "../session/web-request.ts";
import { schemeHandlers, toApp, toChromium } from "./addresses.ts";

type Paused = EventOf<"Fetch.requestPaused">;

/** What the owner of the page decides. */
export interface RequestPolicy {
  readonly webRequest: HostWebRequest;
  readonly webContentsId: number;
  /** Id of the top frame. */
  readonly mainFrame: string;
  /** Whether a document may be loaded into a frame. */
  mayNavigate(url: string, frame: string): boolean;
}

/** Answers one paused request. Never throws: a page that went away meanwhile needs no answer. */
export async function answerRequest(session: Session, paused: Paused, policy: RequestPolicy): Promise<void> {
  try {
    if (paused.responseStatusCode === undefined && paused.responseErrorReason === undefined) {
      await answerBefore(session, paused, policy);
    } else await answerAfter(session, paused, policy);
  } catch {
    await session
      .send("Fetch.failRequest", { requestId: paused.requestId, errorReason: "Failed" })
      .catch(() => undefined);
  }
}

async function answerBefore(session: Session, paused: Paused, policy: RequestPolicy): Promise<void> {
  const { requestId, request, resourceType, frameId } = paused;
  const url = toApp(request.url);
  if (resourceType === "Document" && !policy.mayNavigate(url, frameId)) {
    // "Aborted" leaves the page where it is, any other reason would show an error page.
    await session.send("Fetch.failRequest", { requestId, errorReason: "Aborted" });
    return;
  }
  const details = detailsOf(paused, policy);
  const { cancel, redirectURL } = await policy.webRequest.hostBeforeRequest(details);
  if (cancel) await session.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
  else if (redirectURL) {
    const responseHeaders = [{ name: "location", value: toChromium(redirectURL) }];
    await session.send("Fetch.fulfillRequest", { requestId, responseCode: 307, responseHeaders });
  } else if (request.url !== url) {
    await fulfill(session, paused, policy, schemeHandlers.get(url.slice(0, url.indexOf(":"))) ?? notFound);
  } else if (isElsewhere(url)) {
    // Not left to Chromium, which would look into the reason of its failure, by asking the network.
    await session.send("Fetch.failRequest", { requestId, errorReason: "InternetDisconnected" });
  } else {
    const interceptResponse = policy.webRequest.hostListensToHeaders;
    await session.send("Fetch.continueRequest", { requestId, interceptResponse });
  }
}

const notFound = () => new Response(null, { status: 404 });

/** Whether an address is neither of this machine nor without a machine (a file, data). */
function isElsewhere(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.hostname !== "" && url.hostname !== "127.0.0.1" && url.hostname !== "localhost";
}

async function fulfill(
  session: Session,
  paused: Paused,
  policy: RequestPolicy,
  handler: (request: Request) => Response | Promise<Response>,
): Promise<void> {
  const response = await respond(paused, handler);
  const details = {
    ...detailsOf(paused, policy),
    statusCode: response.status,
    responseHeaders: grouped(response.headers),
  };
  const { cancel, responseHeaders } = await policy.webRequest.hostHeadersReceived(details);
  const { requestId } = paused;
  if (cancel) {
    await session.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    return;
  }
  await session.send("Fetch.fulfillRequest", {
    requestId,
    responseCode: response.status,
    responseHeaders: flat(responseHeaders),
    body: Buffer.from(await response.arrayBuffer()).toString("base64"),
  });
}

async function respond(paused: Paused, handler: (request: Request) => Response | Promise<Response>): Promise<Response> {
  const { method, headers, postData } = paused.request;
  try {
    const body = postData === undefined ? {} : { body: postData };
    return await handler(new Request(toApp(paused.request.url), { method, headers, ...body }));
  } catch (error) {
    process.stderr.write(`The handler of ${toApp(paused.request.url)} failed: ${String(error)}\n`);
    return new Response(null, { status: 500 });
  }
}

async function answerAfter(session: Session, paused: Paused, policy: RequestPolicy): Promise<void> {
  const { requestId, responseStatusCode: responseCode, responseHeaders = [] } = paused;
  if (responseCode === undefined) {
    await session.send("Fetch.continueResponse", { requestId });
    return;
  }
  const before = grouped(responseHeaders.map(({ name, value }) => [name, value] as const));
  const details = { ...detailsOf(paused, policy), statusCode: responseCode, responseHeaders: before };
  const after = await policy.webRequest.hostHeadersReceived(details);
  if (after.cancel) await session.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
  else if (after.responseHeaders === before || isRedirect(responseCode)) {
    await session.send("Fetch.continueResponse", { requestId });
  } else {
    // Headers changed on the way have no effect on policies, which Chromium has read by then; those of a new answer have.
    const { body, base64Encoded } = await session.send("Fetch.getResponseBody", { requestId });
    await session.send("Fetch.fulfillRequest", {
      requestId,
      responseCode,
      responseHeaders: flat(after.responseHeaders),
      body: base64Encoded ? body : Buffer.from(body).toString("base64"),
    });
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function detailsOf({ requestId, request, resourceType, frameId }: Paused, { webContentsId, mainFrame }: RequestPolicy) {
  const documentType = frameId === mainFrame ? "mainFrame" : "subFrame";
  const type = resourceType === "Document" ? documentType : resourceType.toLowerCase();
  const { method, headers } = request;
  return { id: requestId, url: toApp(request.url), method, resourceType: type, webContentsId, requestHeaders: headers };
}

function grouped(headers: Iterable<readonly [string, string]>): Record<string, string[]> {
  const result: Record<string, string[]> = {};
  for (const [name, value] of headers) result[name] = [...(result[name] ?? []), value];
  return result;
}

function flat(headers: Readonly<Record<string, string | string[]>>): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value: translated(name, value) })),
  );
}

/** A policy that names a scheme of the app's own has to mean the address under which it is shown. */
function translated(name: string, value: string): string {
  if (!/^content-security-policy/i.test(name)) return value;
  return value
    .split(/(\s+|;)/)
    .map((word) =>
      /^[a-z][a-z0-9+.-]*:$/i.test(word) && schemeHandlers.has(word.slice(0, -1)) ? "'self'" : translate(word),
    )
    .join("");
}

function translate(word: string): string {
  const url = toChromium(word);
  return url === word ? word : url.replace(/\/$/, "");
}
