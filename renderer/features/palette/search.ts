import type { LucideIcon } from "lucide-react";

export const GROUPS = ["views", "questions", "actions", "agents"] as const;
export type Group = (typeof GROUPS)[number];

export interface Command {
  readonly id: string;
  readonly group: Group;
  readonly label: string;
  /** More words to find it by, which are shown beside it. */
  readonly detail?: string;
  readonly icon: LucideIcon;
  readonly shortcut?: string;
  readonly run: () => void;
}

/** Of each kind at most so many: who looks for more writes more letters. */
const MOST_OF_A_GROUP = 8;

/** How well a text fits what is looked for, from 0 (at the beginning); undefined when it does not hold all of its words. */
export function rankOf(text: string, wanted: string): number | undefined {
  const held = text.toLocaleLowerCase();
  let worst = 0;
  for (const word of wanted.toLocaleLowerCase().split(/\s+/).filter(Boolean)) {
    const at = held.indexOf(word);
    if (at < 0) return undefined;
    worst = Math.max(worst, at === 0 ? 0 : /[\s/_.:-]/.test(held[at - 1] ?? "") ? 1 : 2);
  }
  return worst;
}

/** The commands that fit, best first, by group; groups without any are left out. */
export function matching(commands: readonly Command[], wanted: string) {
  return GROUPS.flatMap((value) => {
    const items = commands
      .filter(({ group }) => group === value)
      .map((command) => ({ command, rank: rankOf(`${command.label} ${command.detail ?? ""}`, wanted) }))
      .filter((entry): entry is { command: Command; rank: number } => entry.rank !== undefined)
      .sort((left, right) => left.rank - right.rank)
      .slice(0, MOST_OF_A_GROUP)
      .map(({ command }) => command);
    return items.length === 0 ? [] : [{ value, items }];
  });
}
