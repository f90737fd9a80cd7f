import { useMemo } from "react";
import type { Event } from "../../../protocol/objects/event.ts";
import { clockTime } from "../../lib/time.ts";
import { useText } from "../../state/context.tsx";
import { ReferenceLink, type Titles } from "./reference-link.tsx";
import { sentenceOf } from "./sentence.ts";

interface EventLineProps {
  readonly event: Event;
  readonly titles: Titles;
  readonly reachable?: boolean;
}

/** What happened, with links to what it concerns. */
export function EventLine({ event, titles, reachable = true }: EventLineProps) {
  const t = useText();
  const { pieces, references } = useMemo(
    () => sentenceOf(event, t, (at) => clockTime(at, Date.parse(event.createdAt), t.locale)),
    [event, t],
  );
  return (
    <span>
      {pieces.map((piece, index) => {
        // The pieces of a sentence never move.
        const key = `${event.id} ${index}`;
        if ("text" in piece) return <span key={key}>{piece.text}</span>;
        const reference = references[piece.slot];
        if (!reference) return undefined;
        return (
          <ReferenceLink
            key={key}
            scopeId={event.scopeId}
            reference={reference}
            titles={titles}
            reachable={reachable}
            begins={index === 0}
          />
        );
      })}
    </span>
  );
}
