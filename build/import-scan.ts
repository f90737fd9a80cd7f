// Finds the imports in a source text. Regular expressions suffice: the formatter keeps imports in one shape, and the worst
// a wrong hit can do is to ask for a look.

/** One import: what was written between the quotes, where, and whether it vanishes when types are stripped. */
export interface Import {
  specifier: string;
  line: number;
  typeOnly: boolean;
}

const patterns = [
  /^[ \t]*(?:import|export)\s+(type\s)?[^"';()]*?\sfrom\s*["']([^"']+)["']/gm,
  /^[ \t]*import\s*()["']([^"']+)["']/gm,
  /\bimport\s*()\(\s*["']([^"']+)["']\s*[,)]/g,
];

/** All imports of a source text, in the order of their lines. */
export function scanImports(text: string): Import[] {
  const code = withoutComments(text);
  const found = patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => ({
      specifier: match[2] ?? "",
      line: lineOf(code, match.index + match[0].length),
      typeOnly: match[1] !== undefined && match[1] !== "",
    })),
  );
  return found.sort((a, b) => a.line - b.line);
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** Blanks out comments that stand on lines of their own; the line numbers stay. */
function withoutComments(text: string): string {
  return text.replace(/^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*)/gm, (comment) => comment.replace(/[^\n]/g, " "));
}
