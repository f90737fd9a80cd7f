import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { IntlMessageFormat } from "intl-messageformat";
import { expect, test } from "vitest";
import { de } from "./de/index.ts";
import { en } from "./en/index.ts";
import { localeFor, type MessageKey } from "./index.ts";

const root = join(import.meta.dirname, "..");
const keys = Object.keys(en) as MessageKey[];

/** Names of the values a text takes, with what each is used for, e.g. `count:plural`. */
function valuesOf(text: string, locale: string): string[] {
  const found = new Set<string>();
  const look = (parts: unknown): void => {
    if (Array.isArray(parts)) for (const part of parts) look(part);
    else if (typeof parts === "object" && parts !== null) {
      const { type, value, options } = parts as { type?: number; value?: unknown; options?: object };
      // As the parser numbers them: literal text is 0, `#` is 7.
      if (type !== undefined && type !== 0 && type !== 7 && typeof value === "string") found.add(`${value}:${type}`);
      for (const option of Object.values(options ?? {})) look((option as { value: unknown }).value);
    }
  };
  look(new IntlMessageFormat(text, locale, undefined, { ignoreTag: true }).getAst());
  return [...found].sort();
}

test("every text takes the same values in every language", () => {
  const values = (texts: Readonly<Record<MessageKey, string>>, locale: string) =>
    Object.fromEntries(keys.map((key) => [key, valuesOf(texts[key], locale)]));
  expect(values(de, "de")).toEqual(values(en, "en"));
});

test("no text is empty or has space around it", () => {
  const bad = keys.filter((key) => [en[key], de[key]].some((text) => text !== text.trim() || text === ""));
  expect(bad).toEqual([]);
});

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name));
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")));
}

test("every text is used somewhere", async () => {
  const text = [...(await sources("renderer")), ...(await sources("main"))].join("\n");
  // A key that is put together, as in t(`view.${view}`), uses all that begin like it and go on like it.
  const templates = Array.from(
    text.matchAll(/`([a-z][\w.-]*\.)((?:[^`]|\$\{[^}]*\})*)`/gi),
    ([, start = "", rest = ""]) => {
      const pattern = `${start}${rest}`
        .split(/\$\{[^}]*\}/)
        .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
        .join("[\\w.-]+");
      return new RegExp(`^${pattern}$`);
    },
  );
  const unused = keys.filter((key) => !text.includes(`"${key}"`) && !templates.some((template) => template.test(key)));
  expect(unused).toEqual([]);
});

test("no words for humans stand in the pages themselves", async () => {
  const entries = await readdir(join(root, "renderer"), { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const { name, parentPath } of entries.filter((entry) => entry.name.endsWith(".tsx"))) {
    // What is typed into a terminal is the same in every language.
    const source = (await readFile(join(parentPath, name), "utf8")).replaceAll(/<code[^>]*>[^<]*<\/code>/g, "");
    // Between tags, and in the attributes that are read out or shown.
    const words = [
      ...source.matchAll(/(?<![=-])>\s*([A-Za-z][^<>{}();=]*[A-Za-z.!?…])\s*<\//g),
      ...source.matchAll(/\b(?:aria-label|title|placeholder|alt|label)="([^"]*[A-Za-z][^"]*)"/g),
    ];
    for (const [, text = ""] of words) found.push(`${name}: ${text.trim()}`);
  }
  expect(found).toEqual([]);
});

test("the language is the first wanted one there is a catalogue for", () => {
  expect(localeFor(["fr-CA", "de-AT", "en"])).toBe("de");
  expect(localeFor(["fr"])).toBe("en");
});
