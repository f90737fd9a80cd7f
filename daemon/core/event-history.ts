import { concernsAgent, type Event, kindOf, LIMITS, type ParsedInput } from "../../protocol/index.ts";
import type { OwnerCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { numericCursor } from "./encoding.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "./events.ts";

type Input = ParsedInput<"listEventsPage">;

/** What happened, newest first. Bounded like a search, since few of the events may be among those asked for. */
export async function listEventsPage(ctx: Context, caller: OwnerCaller, input: Input) {
  const limit = input.limit ?? LIMITS.eventBatchDefault;
  const events: Event[] = [];
  const filtered = input.kind !== undefined || input.agentId !== undefined;
  const looked = await newest(ctx, caller, input, filtered ? LIMITS.searchedEvents : limit);
  for (const [index, row] of looked.entries()) {
    const last = looked[index - 1];
    if (last && (events.length === limit || index === LIMITS.searchedEvents)) {
      return { events, nextCursor: String(last.revision) };
    }
    const event = toEvent(row);
    if (isWanted(event, input)) events.push(event);
  }
  return { events };
}

/** One more than `count`, to know whether there are more. */
async function newest(ctx: Context, { scope }: OwnerCaller, input: Input, count: number): Promise<EventRow[]> {
  const before = numericCursor(input.before, "before", Number.MAX_SAFE_INTEGER);
  if (input.subjectId === undefined) {
    return ctx.tx.all<EventRow>(
      `SELECT ${EVENT_COLUMNS}, ? AS scopeId FROM events e WHERE e.scope_no = ? AND e.revision < ?
        ORDER BY e.revision DESC LIMIT ?`,
      scope.id,
      scope.no,
      before,
      count + 1,
    );
  }
  return ctx.tx.all<EventRow>(
    `SELECT ${EVENT_COLUMNS}, ? AS scopeId FROM events e WHERE e.scope_no = ? AND e.subject_id = ? AND e.revision < ?
      ORDER BY e.revision DESC LIMIT ?`,
    scope.id,
    scope.no,
    input.subjectId,
    before,
    count + 1,
  );
}

function isWanted(event: Event, { kind, agentId }: Input): boolean {
  if (kind !== undefined && kindOf(event.type) !== kind) return false;
  return agentId === undefined || concernsAgent(event, agentId);
}
