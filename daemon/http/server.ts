import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { errorEnvelope } from "./respond.ts";

export interface Listening {
  readonly port: number;
  readonly address: string;
  /** Stops taking connections, lets running answers finish for `graceMs`, then cuts the rest. */
  close(graceMs: number): Promise<void>;
}

const LOOPBACK = "127.0.0.1";

/**
 * Starts the HTTP server on loopback.
 * @param port 0 for a free one
 * @throws the system's error, e.g. `EADDRINUSE`
 */
export async function listen(
  door: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  port: number,
): Promise<Listening> {
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 30_000 },
    (request, response) => {
      void door(request, response);
    },
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    socket.end(malformedAnswer(error.code));
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

/** What a request that is not HTTP gets: the protocol never reached the door. */
function malformedAnswer(code: string | undefined): string {
  const message = code === "HPE_HEADER_OVERFLOW" ? "The headers are too large" : "The request is not well-formed HTTP";
  const body = JSON.stringify(errorEnvelope({ code: "INVALID_ARGUMENT", message }));
  return [
    "HTTP/1.1 400 Bad Request",
    "Content-Type: application/json",
    "Cache-Control: no-store",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
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
