// What the person at the terminal reads. Everything goes to stderr: stdout belongs to the command that follows.

/** A failure with all a person needs to act on it: what failed, the exact command, its output, and what to do. */
export class SetupError extends Error {
  /** @param {string} what @param {{ command?: string, output?: string, advice?: string }} [facts] */
  constructor(what, facts = {}) {
    super(what);
    this.facts = facts;
  }
}

/** @param {unknown} error */
export function explain(error) {
  const facts = error instanceof SetupError ? error.facts : {};
  const message = error instanceof Error ? error.message : String(error);
  const lines = [`Failed: ${message}`];
  if (facts.output?.trim()) lines.push(quote(facts.output));
  if (facts.command) lines.push(`  command: ${facts.command}`);
  if (facts.advice) lines.push(`  what to do: ${facts.advice}`);
  return `${lines.join("\n")}\n`;
}

/**
 * Runs one step of the set-up and says how long it took: "Setting up: Node 24.21.0 ... done in 3.5 s".
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} step
 */
export async function step(title, step) {
  const startedAt = Date.now();
  process.stderr.write(`Setting up: ${title} ... `);
  try {
    const result = await step();
    process.stderr.write(`done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    process.stderr.write("failed\n");
    throw error;
  }
}

/** A command as a person would type it. @param {string[]} words */
export function commandLine(words) {
  return words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}

/** Sets a tool's output apart, without the stack lines npm prints for a failed request. @param {string} text */
function quote(text) {
  const lines = text.trim().split("\n");
  return lines
    .filter((line) => !/^(npm (error|ERR!))?\s+at /.test(line))
    .map((line) => `  | ${line}`)
    .join("\n");
}
