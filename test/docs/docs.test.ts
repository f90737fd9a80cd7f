import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { Router } from "../../daemon/http/router.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const PAGES = ["README.md", "docs/writing-an-agent.md", "docs/outputs.md", "docs/operations.md"];

/** Fenced blocks of a language. */
function blocks(page: string, language: string): string[] {
  return [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    (match) => match[1] ?? "",
  );
}

/** Output without what differs from run to run. */
function steady(output: string): string {
  return output.replaceAll(/\d+(\.\d+)? (ms|s)\b/g, "TIME").trim();
}

describe("what the pages show", () => {
  test("is code that type checks, read from top to bottom", async () => {
    const directory = mkdtempSync(join(ROOT, "test/docs/snippets-"));
    try {
      for (const page of PAGES) {
        const code = blocks(page, "ts").join("\n").replaceAll('"agent-intercom"', '"../../../client/index.ts"');
        expect(code).toContain('from "../../../client/index.ts"');
        // What the text around the code explains.
        const context =
          "declare const scopeToken: string;\ndeclare const adminToken: string;\ndeclare const credential: string;\ndeclare function review(body: string): Promise<string>;\n";
        writeFileSync(join(directory, `${page.replaceAll(/\W/g, "-")}.ts`), `${context}${code}\n`);
      }
      const config = { extends: "../../../tsconfig.json", include: ["*.ts"], exclude: [] };
      writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(config));
      const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
      const { stdout } = await run(process.execPath, [compiler, "-p", directory]).catch(
        (error: { stdout: string }) => error,
      );
      expect(stdout).toBe("");
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  test("are routes that exist", () => {
    const router = new Router();
    const routes = PAGES.flatMap((page) => [...read(page).matchAll(/\b(GET|POST|PATCH|DELETE) (\/v1\/[\w/{}-]+)/g)]);
    expect(routes.length).toBeGreaterThan(8);
    for (const [, method, path] of routes) {
      expect(() => router.match(method as string, (path as string).replaceAll(/\{(\w+)\}/g, "$1")), path).not.toThrow();
    }
  });

  test("is what the demo really prints", async () => {
    const [shown] = blocks("README.md", "text");
    const { stdout } = await run(process.execPath, [join(ROOT, "cli/main.ts"), "demo"], {
      env: { ...process.env, NO_COLOR: "1" },
    });
    expect(steady(shown as string)).toBe(steady(stdout));
  });
});
