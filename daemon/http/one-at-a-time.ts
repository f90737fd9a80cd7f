import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Door = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What is going on on one connection. */
interface Line {
  /** The request whose bytes came last. */
  newest?: IncomingMessage;
  /** An answer is being made. */
  busy: boolean;
  /** What comes after it, in this order. */
  readonly waiting: (() => void)[];
  ending: boolean;
}

/**
 * Lets requests through the door one after the other on each connection. A caller may send many without reading any
 * answer (pipelining): they must be answered in their order, those before a malformed one too, and no more than one
 * answer may have to be kept for a caller that does not read.
 */
export class OneAtATime {
  readonly #door: Door;
  readonly #lines = new WeakMap<Socket, Line>();

  constructor(door: Door) {
    this.#door = door;
  }

  request(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const line = this.#lineOf(socket);
    line.newest = request;
    const start = () => {
      line.busy = true;
      response.once("close", () => {
        line.busy = false;
        if (!socket.destroyed) line.waiting.shift()?.();
      });
      void this.#door(request, response);
    };
    if (line.busy) line.waiting.push(start);
    else start();
  }

  /** Nothing that makes sense will come on this connection any more: calls `refuse` once all else has been answered. */
  end(socket: Socket, refuse: () => void): void {
    const line = this.#lineOf(socket);
    if (line.ending) return;
    line.ending = true;
    if (line.newest?.complete === false) {
      // The body of that request is what is malformed, so its turn is the one to refuse in, unless it is over.
      if (!line.busy) socket.destroy();
      else if (line.waiting.length === 0) refuse();
      else line.waiting.splice(-1, 1, refuse);
    } else if (line.busy) line.waiting.push(refuse);
    else refuse();
  }

  #lineOf(socket: Socket): Line {
    let line = this.#lines.get(socket);
    if (!line) {
      line = { busy: false, waiting: [], ending: false };
      this.#lines.set(socket, line);
    }
    return line;
  }
}
