import { readFileSync } from "node:fs";
import { expect, test } from "./fixture.ts";

interface NetEvent {
  readonly type: number;
  readonly params?: { readonly address?: string };
}

/** Chromium's log of its network, which ends anywhere because Chromium is killed: an opening object, then one event a line. */
function netEvents(path: string): { name: string; address: string | undefined }[] {
  const [head = "", ...lines] = readFileSync(path, "utf8").split("\n");
  const { logEventTypes } = (JSON.parse(`${head.replace(/,\s*$/, "")}}`) as { constants: { logEventTypes: object } })
    .constants;
  const names = new Map(Object.entries(logEventTypes).map(([name, type]) => [type, name]));
  return lines
    .filter((line) => /^\{.*\},?$/.test(line))
    .map((line) => JSON.parse(line.replace(/,$/, "")) as NetEvent)
    .map(({ type, params }) => ({ name: names.get(type) ?? "", address: params?.address }));
}

test("nothing leaves the machine, whatever pages and Chromium itself try", async ({ launchFixture }, info) => {
  const log = info.outputPath("net-log.json");
  const desktop = await launchFixture({ env: { DESKTOP_HOST_NET_LOG: log } });
  const reasons = await desktop.app.evaluate(async ({ BrowserWindow, session }) => {
    // Not even the app stops it now.
    session.defaultSession.webRequest.onBeforeRequest(null);
    globalThis.fixture.isQuitting = true;
    const window = new BrowserWindow({ show: false });
    const reasonOf = (url: string) => window.loadURL(url).then(() => "loaded", String);
    const documents = [await reasonOf("https://example.com/"), await reasonOf("http://192.0.2.1/")];
    await window.loadURL("app://ui/nowhere.html");
    const socket = `new Promise((resolve) => {
      new WebSocket("wss://example.com/").onerror = () => resolve("no socket");
    })`;
    return [...documents, await window.webContents.executeJavaScript(socket)];
  });
  expect(reasons).toEqual([
    expect.stringContaining("ERR_INTERNET_DISCONNECTED"),
    expect.stringContaining("ERR_INTERNET_DISCONNECTED"),
    "no socket",
  ]);
  const closed = desktop.app.waitForEvent("close");
  await desktop.app.evaluate(({ app }) => app.exit(0));
  await closed;
  const events = netEvents(log);
  expect(events.length).toBeGreaterThan(10);
  const isLoopback = (address = "") => /^(127\.0\.0\.1|\[::1\]):/.test(address);
  const sent = events.filter(({ name }) => name === "UDP_BYTES_SENT" || name === "TCP_CONNECT_ATTEMPT");
  expect(sent.filter(({ address }) => !isLoopback(address))).toEqual([]);
});
