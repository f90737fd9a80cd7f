import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Router } from "../../daemon/http/router.ts";
import { allPages, anchorsOf, prose, ROOT, read } from "./pages.ts";

describe.each(allPages())("%s", (page) => {
  const text = read(page);

  test("links only to files and places that are there", () => {
    const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] as string);
    for (const link of links) {
      if (/^[a-z]+:/.test(link)) continue;
      const [file, anchor] = link.split("#") as [string, string | undefined];
      const target = file === "" ? page : join(dirname(page), file);
      expect(existsSync(join(ROOT, target)), link).toBe(true);
      if (anchor !== undefined) expect([...anchorsOf(read(target))], link).toContain(anchor);
    }
  });

  test("names only routes that exist", () => {
    const router = new Router();
    for (const [, method, path] of text.matchAll(
      /\b(GET|POST|PUT|PATCH|DELETE) (\/(?:v1|outputs|a2a|health)[\w/{}:.-]*)/g,
    )) {
      const route = (path as string).replaceAll(/\{(\w+)\}/g, "$1").replace(/\.$/, "");
      expect(() => router.match(method as string, route), `${method} ${path}`).not.toThrow();
    }
  });
});

test("every page of the protocol is listed on its index, and every chapter is there", () => {
  const chapters = allPages().filter((page) => page.startsWith("docs/protocol/") && !page.endsWith("README.md"));
  const listed = [...read("docs/protocol/README.md").matchAll(/^\| \[([\w-]+)\]\(\1\.md\) \|/gm)].map(
    (match) => match[1],
  );
  expect(listed.toSorted()).toEqual(chapters.map((page) => page.slice("docs/protocol/".length, -3)).toSorted());
});
