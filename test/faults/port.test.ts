import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { startDaemon } from "../../daemon/index.ts";
import { useTemporaryDirectory } from "../fixtures/temporary-directory.ts";
import { TestDaemon } from "../support/daemon.ts";
import { DaemonProcess, killLeftovers } from "./daemon-process.ts";

const path = useTemporaryDirectory();
afterEach(killLeftovers);

const conflict = (message: RegExp) =>
  expect.objectContaining({
    code: "CONFLICT",
    message: expect.stringMatching(message) as string,
    details: expect.objectContaining({ reason: "port_taken" }) as object,
  });

it("a port that another program has is named together with that program", async () => {
  const script = `require("net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port) })`;
  const stranger = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = (await once(stranger.stdout, "data")) as [Buffer];
    const port = Number(line.toString());
    const directories = { dataDir: path("data"), runtimeDir: path("run") };
    const who = process.platform === "linux" ? `by .*\\(pid ${stranger.pid}\\)` : "";
    await expect(DaemonProcess.start({ ...directories, port })).rejects.toEqual(
      conflict(new RegExp(`^Port ${port} is taken ${who}.*Choose another with --port`)),
    );
    // Nothing is left that would keep it from starting elsewhere.
    expect(existsSync(path("run", "run.json"))).toBe(false);
    const daemon = await DaemonProcess.start(directories);
    expect(await daemon.terminate()).toBe(0);
  } finally {
    stranger.kill("SIGKILL");
  }
});

it("a port that another daemon of ours has is told as such, and that daemon goes on", async () => {
  const first = await TestDaemon.start();
  try {
    const options = { dataDir: path("data"), runtimeDir: path("run"), port: first.port, env: {} };
    await expect(startDaemon(options)).rejects.toEqual(
      conflict(/^Port \d+ is taken by another Agent Intercom daemon \(version [\w.+-]+/),
    );
    expect(await first.call("health", {})).toMatchObject({ status: "ready" });
    const second = await startDaemon({ ...options, port: 0 });
    await second.stop();
  } finally {
    await first.close();
  }
});
