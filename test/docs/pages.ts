import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

/** Every page for people, by its path from the project's top folder. */
export function allPages(): string[] {
  const inDocs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .map((file) => `docs/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".md"));
  return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...inDocs].toSorted();
}

/** A page without its fenced blocks, whose content is no Markdown. */
export function prose(page: string): string {
  return page.replaceAll(/^```[\s\S]*?^```$/gm, "");
}

/** What stands in backticks, outside of fenced blocks. */
export function codeSpans(page: string): string[] {
  return [...prose(page).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] as string);
}

/** Rows of the table below a heading, without its head. */
export function tableBelow(page: string, heading: string): string[][] {
  const chapter = page.split(`\n${heading}\n`)[1]?.split(/^#{1,3} /m)[0] ?? "";
  const lines = chapter.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) => line.slice(2, -2).split(" | "));
}

/** Where links into a page may lead: its headings as GitHub names them, and the places it marks itself. */
export function anchorsOf(page: string): Set<string> {
  const marked = [...page.matchAll(/<a id="([^"]+)">/g)].map((match) => match[1] as string);
  const headings = [...prose(page).matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] as string)
      .replaceAll(/<[^>]*>/g, "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set([...marked, ...headings]);
}
