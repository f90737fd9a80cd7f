import { LIMITS, type MessageState } from "../../protocol/index.ts";
import type { Bench } from "./bench.ts";
import { same } from "./commands.ts";

const { leaseMaxMs } = LIMITS;
const ACTIVE: readonly MessageState[] = ["queued", "reserved", "delivered"];

export interface ModelMessage {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly mode: string;
  expiresAt: number | undefined;
  state: MessageState;
  /** Handed over since it was sent or requeued. */
  delivered: boolean;
  deliveryCount: number;
  retryAt: number | undefined;
  /** The reservation it is in, or was delivered by. */
  reservation: string | undefined;
  repliedBy: string | undefined;
}

export interface ModelReservation {
  readonly id: string;
  readonly agent: string;
  /** Token of the execution that holds it. */
  readonly token: string;
  expiresAt: number;
  state: "open" | "committed" | "released" | "expired";
  /** It ended so long ago, by the clock of some moment, that nobody promises to know it. */
  forgotten: boolean;
}

export interface ModelAgent {
  readonly id: string;
  token: string;
  leaseExpiresAt: number;
  alive: boolean;
}

/** What the messages of one open scope should look like, in plain objects. */
export class MessageModel {
  readonly bench: Bench;
  readonly scopeToken: string;
  readonly agents: ModelAgent[] = [];
  /** In the order they were sent. */
  readonly messages: ModelMessage[] = [];
  readonly reservations: ModelReservation[] = [];
  readonly keys = new Map<string, { content: string; id: string }>();

  constructor(bench: Bench, scopeToken: string) {
    this.bench = bench;
    this.scopeToken = scopeToken;
  }

  get now(): number {
    return this.bench.clock.now();
  }

  message(id: string): ModelMessage {
    return this.messages.find((message) => message.id === id) as ModelMessage;
  }

  async register(id: string): Promise<void> {
    const { agentToken } = await this.bench.call("registerAgent", this.scopeToken, {
      id,
      displayName: id,
      leaseMs: leaseMaxMs,
      notices: false,
    });
    const existing = this.agents.find((agent) => agent.id === id);
    if (existing?.alive) this.end(existing);
    const current = { id, token: agentToken, leaseExpiresAt: this.now + leaseMaxMs, alive: true };
    if (existing) Object.assign(existing, current);
    else this.agents.push(current);
  }

  /** The execution is over: what it had reserved is free. */
  end(agent: ModelAgent): void {
    agent.alive = false;
    for (const reservation of this.reservations) {
      if (reservation.token === agent.token && reservation.state === "open") this.free(reservation, "released");
    }
  }

  free(reservation: ModelReservation, state: "released" | "expired"): void {
    reservation.state = state;
    for (const message of this.messages) {
      if (message.state !== "reserved" || message.reservation !== reservation.id) continue;
      message.state = message.delivered ? "delivered" : "queued";
      message.reservation = undefined;
    }
  }

  /** Messages whose recipient has them and has not dealt with them. */
  openDelivery(message: ModelMessage, recipient: string): boolean {
    return message.to === recipient && message.delivered && ["delivered", "reserved"].includes(message.state);
  }

  finish(message: ModelMessage, state: MessageState): void {
    message.state = state;
    message.reservation = undefined;
    message.retryAt = undefined;
  }

  /** What the next reservation of an agent must hold: new ones before repeated ones, all in the order they were sent. */
  next(agent: string, limit: number): ModelMessage[] {
    const mine = this.messages.filter((message) => message.to === agent);
    const queued = mine.filter(({ state }) => state === "queued").slice(0, limit);
    const again = mine
      .filter(({ state, retryAt }) => state === "delivered" && (retryAt === undefined || retryAt <= this.now))
      .slice(0, limit - queued.length);
    return this.messages.filter((message) => queued.includes(message) || again.includes(message));
  }

  /** What time has decided by now. */
  settle(): void {
    for (const message of this.messages) {
      if (message.expiresAt !== undefined && message.expiresAt <= this.now && ACTIVE.includes(message.state)) {
        this.finish(message, "expired");
      }
    }
    for (const reservation of this.reservations) {
      if (reservation.state === "open" && reservation.expiresAt <= this.now) this.free(reservation, "expired");
    }
    for (const agent of this.agents) {
      if (agent.alive && agent.leaseExpiresAt <= this.now) this.end(agent);
    }
    for (const reservation of this.reservations) {
      if (reservation.state !== "open" && reservation.expiresAt <= this.now - LIMITS.endedReservationMs)
        reservation.forgotten = true;
    }
  }

  jump(ms: number): void {
    for (const agent of this.agents) if (agent.alive) agent.leaseExpiresAt += ms;
    for (const reservation of this.reservations) if (reservation.state === "open") reservation.expiresAt += ms;
    for (const message of this.messages) if (message.retryAt !== undefined) message.retryAt += ms;
  }

  /** Every stored message is as the model has it, and no other exists. */
  compare(): void {
    const stored = this.bench.rows<Record<string, unknown>>(
      `SELECT m.id, m.state, m.delivery_count AS deliveryCount, m.delivered_at IS NOT NULL AS delivered,
              CASE WHEN m.state = 'reserved' THEN r.id END AS reservation, m.response_message_id AS repliedBy
         FROM messages m LEFT JOIN reservations r ON r.no = m.reservation_no ORDER BY m.seq`,
    );
    const expected = this.messages.map((message) => ({
      id: message.id,
      state: message.state,
      deliveryCount: message.deliveryCount,
      // An expired message keeps the instant it was delivered at.
      delivered: message.delivered ? 1 : 0,
      reservation: message.state === "reserved" ? message.reservation : null,
      repliedBy: message.repliedBy ?? null,
    }));
    for (const [index, row] of stored.entries()) same("a stored message", row, expected[index]);
    same("the number of messages", stored.length, expected.length);
  }
}
