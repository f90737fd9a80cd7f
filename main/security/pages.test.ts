import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/temporary.ts";
import { CONTENT_SECURITY_POLICY } from "./csp.ts";
import { isPageAddress, listPages, servePage } from "./pages.ts";

function pages() {
  const folder = join(temporaryFolder(), "ui");
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "..", "secret.html"), "secret");
  writeFileSync(join(folder, "index.html"), "<title>page</title>");
  writeFileSync(join(folder, "assets", "main.js"), "1");
  writeFileSync(join(folder, "assets", "main.js.map"), "{}");
  symlinkSync(join(folder, "..", "secret.html"), join(folder, "link.html"));
  const files = listPages(folder);
  return { files, get: (url: string, method = "GET") => servePage({ url, method }, files) };
}

describe("the pages of the app", () => {
  it("are served with their type and the policy", async () => {
    const { files, get } = pages();
    expect([...files.keys()].toSorted()).toEqual(["/assets/main.js", "/index.html"]);
    const page = await get("app://ui/index.html?theme=dark#inbox");
    expect(page.status).toBe(200);
    expect(await page.text()).toBe("<title>page</title>");
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "x-content-type-options": "nosniff",
    });
    expect((await get("app://ui/assets/main.js")).headers.get("content-type")).toMatch(/^text\/javascript/);
    expect(await (await get("app://ui/index.html", "HEAD")).text()).toBe("");
  });

  it.each([
    ["app://ui/", 404],
    ["app://ui/nothing.html", 404],
    ["app://ui/assets/main.js.map", 404],
    ["app://ui/link.html", 404],
    ["app://ui/../secret.html", 404],
    ["app://ui/assets/../../secret.html", 404],
    ["app://ui/%2e%2e/secret.html", 404],
    ["app://ui/..%2fsecret.html", 404],
    ["app://ui/..%5csecret.html", 404],
    ["app://ui/assets%2fmain.js", 404],
    ["app://ui//index.html", 404],
    ["app://other/index.html", 403],
    ["app://ui.other/index.html", 403],
    ["app://ui:81/index.html", 403],
    ["app://me@ui/index.html", 403],
    ["file:///index.html", 403],
    ["https://ui/index.html", 403],
    ["no address", 403],
  ])("are all there is: %s", async (url, status) => {
    const { get } = pages();
    const refused = await get(url);
    expect(refused.status).toBe(status);
    expect(await refused.text()).toBe("");
  });

  it.each(["POST", "PUT", "DELETE", "OPTIONS"])("are only read, not %s", async (method) => {
    expect((await pages().get("app://ui/index.html", method)).status).toBe(405);
  });
});

describe("the content security policy", () => {
  it("lets a page load its own files and nothing else", () => {
    const rules = new Map(
      CONTENT_SECURITY_POLICY.split("; ").map((rule): [string, string] => {
        const [name = "", ...values] = rule.split(" ");
        return [name, values.join(" ")];
      }),
    );
    expect(Object.fromEntries(rules)).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "img-src": "'self' data:",
      "font-src": "'self'",
      "connect-src": "'none'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
    });
  });
});

describe("isPageAddress", () => {
  it.each([
    ["app://ui/index.html", true],
    ["app://ui", true],
    ["app://ui.example/index.html", false],
    ["app://x@ui/index.html", false],
    ["https://ui/index.html", false],
    ["about:blank", false],
    ["", false],
  ])("%s: %s", (url, expected) => {
    expect(isPageAddress(url)).toBe(expected);
  });
});
