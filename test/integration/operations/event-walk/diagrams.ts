import { readFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = join(import.meta.dirname, "../../../../docs/protocol/state-machines.md");

/** Every transition the page of state machines draws: `Machine: from --> to: label`. */
export function drawnTransitions(page = readFileSync(PAGE, "utf8")): string[] {
  return page.split(/^## /m).flatMap((chapter) => {
    const [machine, ...rest] = chapter.split("\n");
    const diagram = /^```mermaid\nstateDiagram-v2\n([\s\S]*?)^```$/m.exec(rest.join("\n"))?.[1];
    return (diagram ?? "").split("\n").flatMap((line) => {
      if (line.trim() === "") return [];
      const [, from, to, labels] = /^ {2}(\[\*\]|\w+) --> (\[\*\]|\w+): (\w+(?:, \w+)*)$/.exec(line) ?? [];
      if (labels === undefined) throw new Error(`Not a transition: ${line}`);
      return labels.split(", ").map((label) => `${machine}: ${from} --> ${to}: ${label}`);
    });
  });
}
