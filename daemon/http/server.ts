import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { OneAtATime } from "./one-at-a-time.ts";
import { errorEnvelope } from "./respond.ts";

export interface Listening {
  readonly port: number;
  readonly address: string;
  /** Stops taking connections, lets running answers finish for `graceMs`, then cuts the rest. */
  close(graceMs: number): Promise<void>;
}

const LOOPBACK = "127.0.0.1";

/** How long a caller may take, in ms. */
export interface Patience {
  /** Until the headers are complete. */
  readonly headersTimeout: number;
  /** Until the whole request is there. */
  readonly requestTimeout: number;
  /** Until the next request on the same connection. */
  readonly keepAliveTimeout: number;
  /** How often the first two are looked after: the most they are exceeded by. */
  readonly connectionsCheckingInterval: number;
}

const PATIENCE: Patience = {
  headersTimeout: 10_000,
  // A whole archive may be on its way; whoever reads a body as one sets shorter limits.
  requestTimeout: 600_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 5000,
};

/** How long a caller that was refused before the door may take to read why. */
const LINGER_MS = 1000;

/**
 * Starts the HTTP server on loopback. Requests of one connection are answered one after the other.
 * @param port 0 for a free one
 * @throws the system's error, e.g. `EADDRINUSE`
 */
export async function listen(
  door: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  port: number,
  patience: Patience = PATIENCE,
): Promise<Listening> {
  const line = new OneAtATime(door);
  const answer = (request: IncomingMessage, response: ServerResponse) => line.request(request, response);
  const server = createServer({ ...patience }, answer);
  // An expectation nobody knows is none that has to be met.
  server.on("checkExpectation", answer);
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    if (error.code === "ECONNRESET" || socket.bytesRead === 0) socket.destroy();
    else line.end(socket, () => refuse(socket, error.code));
  });
  const silent = trackSilent(server);
  await bind(server, port);
  const bound = server.address() as AddressInfo;
  return {
    port: bound.port,
    address: `http://${LOOPBACK}:${bound.port}`,
    close: (graceMs) => close(server, silent, graceMs),
  };
}

const MALFORMED = "The request is not well-formed HTTP";
const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "The headers are too large",
  ERR_HTTP_REQUEST_TIMEOUT: "The request took too long to arrive",
};

/** What a request that is not HTTP gets: the protocol never reached the door. */
function refuse(socket: Socket, code: string | undefined): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const message = REASONS[code ?? ""] ?? MALFORMED;
  const body = JSON.stringify(errorEnvelope({ code: "INVALID_ARGUMENT", message }));
  socket.end(
    [
      "HTTP/1.1 400 Bad Request",
      "Content-Type: application/json",
      "Cache-Control: no-store",
      "X-Content-Type-Options: nosniff",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** How often connections that have fallen idle since are closed while the server stops. */
const SWEEP_MS = 20;

/** Connections nothing was asked on yet. Clients open some ahead of need, and Node does not count them as idle. */
function trackSilent(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("request", (request) => silent.delete(request.socket));
  return silent;
}

function close(server: Server, silent: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A kept-alive connection becomes idle only after its last answer, which may be yet to come.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
    for (const socket of silent) socket.destroy();
  });
}
