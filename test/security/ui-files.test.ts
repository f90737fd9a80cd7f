import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { rawBytes, rawRequest } from "../support/raw.ts";
import { useDaemon } from "../support/use-daemon.ts";

/** What the daemon serves at `/ui/`, how, and what it does not. */

const home = mkdtempSync(join(tmpdir(), "intercom-ui-"));
const uiDir = join(home, "ui");
const SCRIPT = `console.log(${JSON.stringify("x".repeat(4000))});`;
mkdirSync(join(uiDir, "assets", "deep"), { recursive: true });
writeFileSync(join(home, "secret.txt"), "secret");
writeFileSync(join(uiDir, "index.html"), "<!doctype html><title>UI</title>");
writeFileSync(join(uiDir, "assets", "app-1a2b.js"), SCRIPT);
writeFileSync(join(uiDir, "assets", "app-1a2b.css"), "body{}");
writeFileSync(join(uiDir, "assets", "deep", "a b.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
writeFileSync(join(uiDir, "assets", "run.exe"), "no type we know");
if (process.platform !== "win32") symlinkSync(join(home, "secret.txt"), join(uiDir, "link.txt"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const intercom = useDaemon({ uiDir });
const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  rawRequest(intercom().port, { path, method, headers: { Host: `127.0.0.1:${intercom().port}`, ...headers } });

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'none'; worker-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";
const PROTECTION = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
};

describe("files", () => {
  test("the page is never kept, and protected by its headers", async () => {
    const answer = await get("/ui/");
    expect(answer).toMatchObject({ status: 200, text: "<!doctype html><title>UI</title>" });
    expect(answer.headers).toMatchObject({
      ...PROTECTION,
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
    });
    expect(await get("/ui/?from=somewhere")).toMatchObject({ status: 200 });
    expect(await get("/ui")).toMatchObject({ status: 308, headers: { location: "/ui/", ...PROTECTION } });
  });

  test("assets are kept for ever, with a strong tag for each form", async () => {
    const plain = await get("/ui/assets/app-1a2b.js");
    expect(plain).toMatchObject({ status: 200, text: SCRIPT });
    expect(plain.headers).toMatchObject({
      ...PROTECTION,
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    const zipped = await get("/ui/assets/app-1a2b.js", { "Accept-Encoding": "gzip, deflate" });
    const tags = [plain, zipped, await get("/ui/assets/app-1a2b.js", { "Accept-Encoding": "gzip, br" })].map(
      ({ headers }) => headers.etag as string,
    );
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]{27}(-gzip|-br)?"$/);
    const again = await get("/ui/assets/app-1a2b.js", { "If-None-Match": `"other", ${tags[0]}` });
    expect(again).toMatchObject({ status: 304, text: "", headers: { etag: tags[0], ...PROTECTION } });
    expect(await get("/ui/assets/app-1a2b.js", { "If-None-Match": tags[1] as string })).toMatchObject({ status: 200 });
  });

  test("what is compressed is the same when it is unpacked", async () => {
    for (const encoding of ["br", "gzip"]) {
      // This reader unpacks by itself.
      const headers = { "Accept-Encoding": encoding };
      const response = await fetch(`${intercom().address}/ui/assets/app-1a2b.js`, { headers });
      expect(response.headers.get("content-encoding")).toBe(encoding);
      expect(Number(response.headers.get("content-length"))).toBeLessThan(SCRIPT.length / 10);
      expect(await response.text()).toBe(SCRIPT);
    }
    expect((await get("/ui/assets/app-1a2b.js", { "Accept-Encoding": "br;q=0, gzip;q=0" })).text).toBe(SCRIPT);
  });

  test("HEAD tells the same without the content; other methods are refused", async () => {
    const { headers } = await get("/ui/assets/app-1a2b.css");
    const head = await get("/ui/assets/app-1a2b.css", {}, "HEAD");
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers).toMatchObject({
      etag: headers.etag,
      "content-length": "6",
      "content-type": headers["content-type"],
    });
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"]) {
      expect(await get("/ui/", {}, method)).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
    }
  });

  test("a name is found the way a browser writes it", async () => {
    expect(await get("/ui/assets/deep/a%20b.svg")).toMatchObject({
      status: 200,
      headers: { "content-type": "image/svg+xml" },
    });
  });

  test.each([
    "/ui/../secret.txt",
    "/ui/assets/../../secret.txt",
    "/ui/%2e%2e/secret.txt",
    "/ui/..%2fsecret.txt",
    "/ui/..%5csecret.txt",
    "/ui/assets%2fapp-1a2b.js",
    "/ui/assets//app-1a2b.js",
    "/ui//etc/passwd",
    "/ui/%00",
    "/ui/index.html%00.js",
    "/ui/assets/app-1a2b.js/",
    "/ui/assets/",
    "/ui/index.html",
    "/ui/link.txt",
    "/ui/assets/run.exe",
    "/ui/__proto__",
    "/ui/%",
    "/uix",
  ])("%s leads nowhere", async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain("secret");
    if (path.startsWith("/ui/")) expect(answer.headers).toMatchObject(PROTECTION);
  });

  test("a raw NUL or an absolute target leads nowhere either", async () => {
    const request = (target: string) =>
      `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${intercom().port}\r\nConnection: close\r\n\r\n`;
    for (const target of ["/ui/\0", "http://evil.example/ui/", "//evil.example/ui/", "file:///ui/"]) {
      expect(await rawBytes(intercom().port, request(target)), target).toMatch(/^HTTP\/1\.1 40[04] /);
    }
  });
});

describe("who asks", () => {
  test("comes for this machine", async () => {
    for (const path of ["/ui/", "/ui/assets/app-1a2b.js", "/ui/session"]) {
      for (const host of ["evil.example", `evil.example:${intercom().port}`, "127.0.0.1.evil.example"]) {
        const answer = await get(path, { Host: host });
        expect(answer.status, `${host}${path}`).toBe(403);
        expect(JSON.parse(answer.text).error.details).toEqual({ reason: "host" });
      }
    }
  });

  test("is no script of another origin, and nothing says that one may", async () => {
    for (const origin of ["http://evil.example", `http://127.0.0.1:${intercom().port + 1}`, "null", "app://ui"]) {
      const answer = await get("/ui/", { Origin: origin });
      expect(answer.status, origin).toBe(403);
    }
    for (const path of ["/ui/", "/ui/session", "/ui/assets/app-1a2b.js"]) {
      const { headers } = await get(path, { Origin: intercom().address });
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });
});

describe("without files", () => {
  const bare = useDaemon({ uiDir: join(home, "nowhere") });

  test("a page says what to run, and holds no script", async () => {
    const answer = await rawRequest(bare().port, { path: "/ui/", headers: { Host: "localhost" } });
    expect(answer.status).toBe(503);
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", "x-frame-options": "DENY" });
    expect(answer.headers["content-security-policy"]).toMatch(/style-src 'sha256-[\w+/]{43}='; img-src/);
    expect(answer.text).toContain("npm run build");
    expect(answer.text).not.toMatch(/<script|https?:|\son\w+=/);
  });

  test("everything else leads nowhere, until they are built", async () => {
    expect((await rawRequest(bare().port, { path: "/ui/assets/app-1a2b.js" })).status).toBe(404);
    mkdirSync(join(home, "nowhere"));
    writeFileSync(join(home, "nowhere", "index.html"), "built");
    expect(await rawRequest(bare().port, { path: "/ui/" })).toMatchObject({ status: 200, text: "built" });
  });
});

describe("the second listener", () => {
  const guests = useDaemon({ octoberBusPort: 0, uiDir });

  test("serves none of it", async () => {
    const { octoberBusAddress } = guests().daemon;
    for (const path of ["/ui/", "/ui/session", "/ui/assets/app-1a2b.js"]) {
      expect((await fetch(`${octoberBusAddress}${path}`)).status).toBe(404);
    }
  });
});
