import { useState } from "react";
import type { Escalation, EscalationStatus } from "../../../protocol/objects/escalation.ts";
import { mergeSources, type Source } from "../../lib/merged.ts";
import { useApp, useAppParts, useHost } from "../../state/context.tsx";
import { type Reading, useReading } from "../../state/reading.ts";

export interface HistoryQuery {
  readonly text: string;
  readonly status: Exclude<EscalationStatus, "pending"> | undefined;
}

export interface History extends Omit<Reading<readonly Escalation[]>, "again"> {
  readonly hasMore: boolean;
  readMore(): void;
  again(): void;
}

const PAGE = 50;

/** The closed questions of the scopes that are shown, the newest first, as far as they have been asked for. */
export function useHistory({ text, status }: HistoryQuery): History {
  const host = useHost();
  const scopeId = useApp((state) => state.scopeId);
  const scopeIds = useAppParts((state) => (scopeId === undefined ? Object.keys(state.live.scopes).sort() : [scopeId]));
  const [wanted, setWanted] = useState({ query: "", pages: 1 });
  const query = JSON.stringify([scopeIds, text, status]);
  const pages = wanted.query === query ? wanted.pages : 1;

  async function readScope(scope: string): Promise<Source<Escalation>> {
    const items: Escalation[] = [];
    let nextCursor: string | undefined;
    for (let page = 0; page < pages; page += 1) {
      const input = {
        limit: PAGE,
        ...(text === "" ? {} : { text }),
        ...(status ? { status } : {}),
        ...(nextCursor === undefined ? {} : { before: nextCursor }),
      };
      const read = await host.call("listEscalationHistory", input, scope);
      items.push(...read.escalations);
      nextCursor = read.nextCursor;
      if (nextCursor === undefined) break;
    }
    return { items, nextCursor };
  }

  const reading = useReading(
    `history ${query} ${pages}`,
    () => Promise.all(scopeIds.map(readScope)),
    ({ type }) => type.startsWith("escalation.") && !["escalation.created", "escalation.shown"].includes(type),
    `history ${query}`,
  );
  const hasMore = reading.data?.some(({ nextCursor }) => nextCursor !== undefined) ?? false;
  return {
    ...reading,
    data: reading.data && mergeSources(reading.data, ({ createdAt }) => createdAt),
    hasMore,
    readMore: () => hasMore && !reading.loading && setWanted({ query, pages: pages + 1 }),
  };
}
