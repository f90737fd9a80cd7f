import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EXIT } from "../../cli/exit-codes.ts";
import { SESSION_HEADER, type SignedIn } from "../../protocol/index.ts";
import { ownPage } from "../support/browser.ts";
import { CliHome, output } from "../support/cli.ts";
import { exchange } from "../support/http.ts";
import { until } from "../support/waiting.ts";

let home: CliHome;
beforeEach(() => {
  home = new CliHome();
});
afterEach(() => home.close());

/** What a browser does with a printed link. */
async function signInWith(url: string) {
  const { origin, hash } = new URL(url);
  const body = JSON.stringify({ code: hash.slice("#sign-in=".length) });
  const answer = await exchange(
    origin,
    { method: "POST", path: "/ui/session", body },
    { headers: { ...ownPage({ address: origin }), "User-Agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0" } },
  );
  const { proof, session } = (answer.body as { result: SignedIn }).result;
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const headers = { ...ownPage({ address: origin }), Cookie: cookie, [SESSION_HEADER]: proof };
  const status = async () =>
    (await exchange(origin, { method: "GET", path: "/v1/admin/overview" }, { headers })).status;
  return { session, status };
}

describe("ui", () => {
  it("starts a daemon, prints a link that signs a browser in, and says why it opens none", async () => {
    const printed = await home.run(["ui"]);
    expect(printed).toMatchObject({ code: 0, stderr: "" });
    const { address } = home.runFile();
    const [url = ""] = /http:\S+/.exec(printed.stdout) ?? [];
    expect(url.startsWith(`${address}/ui/#sign-in=`)).toBe(true);
    expect(printed.stdout).toMatch(/^Good for one sign-in within (1 min|5\d s):\n/);
    expect(printed.stdout).toContain("\nNot opened: there is no display here.");
    const browser = await signInWith(url);
    expect(await browser.status()).toBe(200);

    const listed = await home.call(["ui", "sessions"]);
    expect(listed.stdout).toMatch(new RegExp(`${browser.session.id} +Firefox 140 on Linux`));
    expect(await home.call(["ui", "sign-out", browser.session.id])).toMatchObject({
      code: 0,
      stdout: "Signed out: 1 browser.\n",
    });
    expect(await browser.status()).toBe(401);
    expect((await home.call(["ui", "sign-out", browser.session.id])).stdout).toBe("No such browser is signed in.\n");
    expect((await home.call(["ui", "sessions"])).stdout).toContain("No browser is signed in.");
  });

  it("says how to get there over SSH", async () => {
    await home.run(["start"]);
    const { stdout } = await home.call(["ui"], { env: { SSH_CONNECTION: "1", DISPLAY: ":10" } });
    const { port } = new URL(home.runFile().address);
    expect(stdout).toContain("Not opened: this is a session over SSH.");
    expect(stdout).toContain(`ssh -L ${port}:127.0.0.1:${port} HOST`);
  });

  it("is JSON for programs, and opens nothing when told so", async () => {
    await home.run(["start"]);
    const env = { DISPLAY: ":0" };
    const link = (await home.call(["ui", "--no-open", "--json"], { env })).json();
    expect(link).toEqual({
      url: expect.stringContaining("/ui/#sign-in="),
      expiresAt: expect.any(String),
      opened: false,
    });
    const [one, two] = [
      await signInWith(link.url as string),
      await signInWith((await home.call(["ui", "--json"])).json().url as string),
    ];
    expect((await home.call(["ui", "sessions", "--json"])).json<{ sessions: object[] }>().sessions).toHaveLength(2);
    expect((await home.call(["ui", "sign-out", "--all", "--json"])).json()).toEqual({
      ended: [one.session.id, two.session.id],
    });
    expect([await one.status(), await two.status()]).toEqual([401, 401]);
  });

  it("wants to know whom to sign out", async () => {
    for (const args of [
      ["ui", "sign-out"],
      ["ui", "sign-out", "--all", "uis_1"],
    ]) {
      expect(await home.call(args)).toMatchObject({ code: EXIT.usage, stdout: "" });
    }
  });

  it("is not for agents, and starts nothing for them", async () => {
    const refused = await home.call(["ui"], { env: { AGENT_INTERCOM_AGENT_TOKEN: "x" } });
    expect(refused).toMatchObject({ code: EXIT.denied, stdout: "" });
    expect(() => home.runFile()).toThrow("No run file");
  });
});

it("start --ui prints a link as well, in the foreground too", async () => {
  const child = home.spawn(["start", "--foreground", "--ui"]);
  const said = output(child);
  await until("the daemon says where it is", () => said.text.includes("agent-intercom stop"));
  const browser = await signInWith(/http:\S+#sign-in=\S+/.exec(said.text)?.[0] ?? "");
  expect(await browser.status()).toBe(200);
});
