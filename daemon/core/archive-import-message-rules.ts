import { LIMITS, type MessageState, utf8Length } from "../../protocol/index.ts";
import type { ExtendedRecord, PlainRecord } from "./archive-import.ts";
import type { RecordFault } from "./archive-import-parts.ts";

/** What must be true of a message of an archive before anybody looks at others. */

export type ArchivedMessage = PlainRecord<"messages"> | ExtendedRecord<"messages">;
type Party = ArchivedMessage["fromKind"];

/** The instants a state comes with: each must be there, must be missing, or may be either. */
const INSTANTS: Readonly<
  Record<
    ArchivedMessage["state"],
    Partial<Record<"deliveredAt" | "acknowledgedAt" | "expiresAt" | "deadLetteredAt", boolean>>
  >
> = {
  queued: { deliveredAt: false, acknowledgedAt: false, deadLetteredAt: false },
  delivered: { deliveredAt: true, acknowledgedAt: false, deadLetteredAt: false },
  acknowledged: { deliveredAt: true, acknowledgedAt: true, deadLetteredAt: false },
  expired: { expiresAt: true, acknowledgedAt: false, deadLetteredAt: false },
  dead_lettered: { deliveredAt: true, acknowledgedAt: false, deadLetteredAt: true },
};

/** What each sends and is sent, besides agents. */
const MODES: Readonly<Record<Party, { readonly sends: readonly string[]; readonly gets: readonly string[] }>> = {
  agent: { sends: ["notify", "request", "response"], gets: ["notify", "request", "response"] },
  human: { sends: ["notify", "request"], gets: ["notify", "response"] },
  a2aPrincipal: { sends: ["request"], gets: ["response"] },
  system: { sends: ["notify"], gets: [] },
};

/** States a message to each can be in: the human has it at once, a credential's holder needs no reminder. */
const STATES: Readonly<Record<Party, readonly MessageState[]>> = {
  agent: ["queued", "delivered", "acknowledged", "expired", "dead_lettered"],
  human: ["delivered", "acknowledged", "expired"],
  a2aPrincipal: ["acknowledged"],
  system: [],
};

/** @throws {IntercomError} INVALID_ARGUMENT */
export function requirePossible(record: ArchivedMessage, fault: RecordFault): void {
  requireParties(record, fault);
  const instants = { deadLetteredAt: undefined, ...record };
  for (const [name, expected] of Object.entries(INSTANTS[record.state])) {
    const there = instants[name as "deliveredAt"] !== undefined;
    if (there !== expected)
      throw fault.error(`${name}: expected ${expected ? "one" : "none"} in state ${record.state}`);
  }
  if ("deadLetterReason" in record && record.state !== "dead_lettered") {
    throw fault.error("deadLetterReason: goes with state dead_lettered only");
  }
  if ((record.mode === "response") !== (record.responseTo !== undefined)) {
    throw fault.error("responseTo: goes with mode response, and only with it");
  }
  const answered = record.repliedAt !== undefined;
  if (answered !== (record.responseMessageId !== undefined)) {
    throw fault.error("repliedAt and responseMessageId: expected both or none");
  }
  if (answered && record.mode !== "request") throw fault.error("responseMessageId: goes with mode request only");
}

function requireParties({ from, fromKind, to, toKind, mode, state }: ArchivedMessage, fault: RecordFault): void {
  // Conversations of others belong to no scope, and would be found again by the next one.
  if (fromKind !== "agent" && toKind !== "agent") throw fault.error("toKind: expected agent from another party");
  if (fromKind === toKind && from === to) throw fault.error("to: expected another agent");
  const { sends } = MODES[fromKind];
  const modes = MODES[toKind].gets.filter((get) => sends.includes(get));
  if (!modes.includes(mode)) {
    throw fault.error(`mode: expected ${modes.join(" or ") || "no message"} from ${fromKind} to ${toKind}`);
  }
  const states = STATES[toKind];
  if (!states.includes(state)) throw fault.error(`state: expected ${states.join(", ")} of a message to ${toKind}`);
}

const ACTIVE_STATES: readonly MessageState[] = ["queued", "delivered"];

/** Counts what nobody has dealt with, and complains when it is more than a scope may hold. */
export class ActiveMessages {
  /** Those an agent has still to deal with. */
  total = 0;
  #limited = 0;
  #ofHuman = 0;
  #fromOutside = { count: 0, bytes: 0 };

  /** @throws {IntercomError} INVALID_ARGUMENT */
  count(record: ArchivedMessage, fault: RecordFault): void {
    if (!ACTIVE_STATES.includes(record.state)) return;
    const atMost = (count: number, limit: number, what: string) => {
      if (count > limit) throw fault.error(`expected at most ${limit} ${what}`);
    };
    if (record.toKind === "human") {
      this.#ofHuman += 1;
      atMost(this.#ofHuman, LIMITS.unreadHumanMessagesPerScope, "messages the human has not read");
      return;
    }
    this.total += 1;
    // Notices come in however full the scope is.
    if (!("about" in record)) this.#limited += 1;
    atMost(this.#limited, LIMITS.activeMessagesPerScope, "messages nobody has dealt with");
    if (record.fromKind !== "a2aPrincipal") return;
    this.#fromOutside.count += 1;
    this.#fromOutside.bytes += utf8Length(record.body);
    atMost(this.#fromOutside.count, LIMITS.a2aMessagesPerScope, "unfinished messages from outside");
    atMost(this.#fromOutside.bytes, LIMITS.a2aBytesPerScope, "bytes of unfinished messages from outside");
  }
}
