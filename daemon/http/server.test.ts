import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { isIntercomError } from "../../protocol/index.ts";
import { readJsonObject } from "./body.ts";
import { sendError, sendJson } from "./respond.ts";
import { type Listening, listen } from "./server.ts";

/** Patience of a test: short, and looked after often. */
const SHORT = { headersTimeout: 100, requestTimeout: 200, keepAliveTimeout: 60_000, connectionsCheckingInterval: 20 };
/** Long enough to play no part. */
const LONG = {
  headersTimeout: 60_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 20,
};

type Door = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

let listening: Listening | undefined;
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.destroy();
  await listening?.close(0);
  listening = undefined;
});

/** What a connection sends and hears. */
class Client {
  readonly socket: Socket;
  received = "";
  readonly ended: Promise<unknown>;

  constructor(port: number) {
    this.socket = connect({ host: "127.0.0.1", port });
    this.socket.on("data", (chunk) => {
      this.received += chunk.toString("latin1");
    });
    this.socket.on("error", () => {});
    this.ended = once(this.socket, "close");
    clients.push(this);
  }

  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
  }

  get messages(): string[] {
    return [...this.received.matchAll(/"message":"([^"]*)"/g)].map((match) => match[1] as string);
  }
}

async function open(door: Door, patience = LONG): Promise<Client> {
  listening ??= await listen(door, 0, patience);
  return new Client(listening.port);
}

const path = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
const post = (target: string, body: string, ...headers: string[]) =>
  [`POST ${target} HTTP/1.1`, "Host: localhost", "Content-Type: application/json", ...headers, "", body].join("\r\n");
const GARBAGE = "this is not HTTP\r\n\r\n";

/** Answers with the path, once it is let go. */
function heldDoor() {
  const started: string[] = [];
  const going = new Map<string, () => void>();
  const door: Door = async (request, response) => {
    const { url = "" } = request;
    started.push(url);
    if (url.startsWith("/held")) await new Promise<void>((resolve) => going.set(url, resolve));
    sendJson(response, 200, url);
  };
  const letGo = async (url: string) => {
    while (!going.has(url)) await new Promise((resolve) => setImmediate(resolve));
    going.get(url)?.();
  };
  return { door, started, letGo };
}

/** Reads a body as the real door does. */
const readingDoor: Door = async (request, response) => {
  try {
    sendJson(response, 200, await readJsonObject(request));
  } catch (error) {
    if (!isIntercomError(error)) throw error;
    sendError(response, error);
  }
};

describe("requests sent before earlier ones are answered", () => {
  test("are answered in their order, one at a time", async () => {
    const { door, started, letGo } = heldDoor();
    const client = await open(door);
    client.socket.write(path("/held/1") + path("/2") + path("/held/3") + path("/4", "Connection: close"));
    await letGo("/held/1");
    await letGo("/held/3");
    await client.ended;
    expect(started).toEqual(["/held/1", "/2", "/held/3", "/4"]);
    expect(client.received.match(/"\/(held\/)?\d"/g)).toEqual(['"/held/1"', '"/2"', '"/held/3"', '"/4"']);
  });

  test("do not begin while the one before is being answered", async () => {
    const { door, started, letGo } = heldDoor();
    const [client, other] = [await open(door), await open(door)];
    client.socket.write(path("/held/1") + path("/2"));
    other.socket.write(path("/elsewhere", "Connection: close"));
    await other.ended;
    expect(started.toSorted()).toEqual(["/elsewhere", "/held/1"]);
    await letGo("/held/1");
  });

  test("do not begin at all when the caller has gone", async () => {
    const { door, started, letGo } = heldDoor();
    const client = await open(door);
    client.socket.write(path("/held/1") + path("/2"));
    await letGo("/held/1").then(() => client.socket.resetAndDestroy());
    const other = await open(door);
    other.socket.write(path("/elsewhere", "Connection: close"));
    await other.ended;
    expect(started.filter((url) => url === "/elsewhere")).toHaveLength(1);
    expect(started.length).toBeLessThanOrEqual(3);
  });

  test("are answered before what is malformed after them is refused", async () => {
    const { door, letGo } = heldDoor();
    const client = await open(door);
    client.socket.write(path("/held/1") + path("/2") + GARBAGE);
    await letGo("/held/1");
    await client.ended;
    expect(client.statuses).toEqual([200, 200, 400]);
    expect(client.received.indexOf('"/2"')).toBeLessThan(client.received.indexOf("not well-formed"));
  });

  test("are answered when the body of the last one is malformed", async () => {
    const client = await open(readingDoor);
    const bad = post("/", "zz\r\n{}\r\n0\r\n\r\n", "Transfer-Encoding: chunked");
    client.socket.write(post("/", "{}", "Content-Length: 2") + post("/", '{"a":1}', "Content-Length: 7") + bad);
    await client.ended;
    expect(client.statuses).toEqual([200, 200, 400]);
  });
});

describe("a malformed body", () => {
  test("is refused at once, however long the door would read", async () => {
    const client = await open(readingDoor);
    client.socket.write(post("/", "5\r\nabc", "Transfer-Encoding: chunked"));
    client.socket.write("defghij");
    await client.ended;
    expect(client.statuses).toEqual([400]);
  });

  test("that nobody wanted to read gets no second answer", async () => {
    const client = await open(async (_request, response) => sendJson(response, 200, "without reading"));
    client.socket.write(post("/", "5\r\nabc", "Transfer-Encoding: chunked"));
    while (!client.received.includes("without reading")) await new Promise((resolve) => setImmediate(resolve));
    client.socket.write("defghij");
    await client.ended;
    expect(client.statuses).toEqual([200]);
  });
});

describe("a caller that takes its time", () => {
  test("over the headers is refused", async () => {
    const client = await open(readingDoor, SHORT);
    client.socket.write("GET /health HTTP/1.1\r\nHost: local");
    // A header now and then does not help: what counts is when they are complete.
    const drip = setInterval(() => client.socket.write("x"), 20);
    await client.ended;
    clearInterval(drip);
    expect(client.statuses).toEqual([400]);
    expect(client.messages).toEqual(["The request took too long to arrive"]);
  });

  test("over the body is refused, once", async () => {
    const client = await open(readingDoor, SHORT);
    client.socket.write(post("/", '{"a":', "Content-Length: 1000"));
    const drip = setInterval(() => client.socket.write(" "), 20);
    await client.ended;
    clearInterval(drip);
    expect(client.statuses).toEqual([400]);
    expect(client.messages).toEqual(["The request took too long to arrive"]);
  });

  test("and has not said anything yet is let go without a word", async () => {
    const client = await open(readingDoor, SHORT);
    await client.ended;
    expect(client.received).toBe("");
  });

  test("does not keep those waiting who are quick, nor one whose answer takes longer than a request may", async () => {
    const { door, letGo } = heldDoor();
    const [slow, quick, waiting] = [await open(door, SHORT), await open(door, SHORT), await open(door, SHORT)];
    waiting.socket.write(path("/held/long", "Connection: close"));
    slow.socket.write("GET /health HTTP/1.1\r\n");
    quick.socket.write(path("/quick", "Connection: close"));
    await quick.ended;
    expect(quick.statuses).toEqual([200]);
    await slow.ended;
    await letGo("/held/long");
    await waiting.ended;
    expect(waiting.statuses).toEqual([200]);
  });
});

describe("an expectation", () => {
  test("to be told to go on is met", async () => {
    const client = await open(readingDoor);
    client.socket.write(post("/", "", "Content-Length: 2", "Expect: 100-continue", "Connection: close"));
    while (client.statuses.length === 0) await new Promise((resolve) => setImmediate(resolve));
    client.socket.write("{}");
    await client.ended;
    expect(client.statuses).toEqual([100, 200]);
  });

  test("that nobody knows changes nothing", async () => {
    const client = await open(readingDoor);
    client.socket.write(post("/", "{}", "Content-Length: 2", "Expect: the-spanish-inquisition", "Connection: close"));
    await client.ended;
    expect(client.statuses).toEqual([200]);
  });
});
