import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { describePortOwner, findPortOwner, listeningInodes, portSentence } from "./port-owner.ts";
import { isProcessAlive, productVersion } from "./process-info.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(answer: unknown): Promise<number> {
  const server = createServer((_request, response) => response.end(JSON.stringify(answer)));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

describe("port owner", () => {
  it.runIf(process.platform === "linux")("names the program that listens", async () => {
    const port = await listen({ hello: 1 });
    const owner = await findPortOwner(port);
    expect(owner.process?.pid).toBe(process.pid);
    expect(owner.daemon).toBeUndefined();
    expect(await describePortOwner(port)).toMatch(
      new RegExp(
        `^Port ${port} is taken by .+ \\(pid ${process.pid}\\)\\. Choose another with --port, or 0 for a free one\\.$`,
      ),
    );
  });

  it("recognises a daemon of ours, and repeats nothing that does not look like a version", async () => {
    const ours = await listen({ name: "agent-intercom", runtimeVersion: "1.2.3", status: "ready" });
    expect((await findPortOwner(ours)).daemon).toEqual({ version: "1.2.3", status: "ready" });
    expect(await describePortOwner(ours)).toMatch(/another Agent Intercom daemon \(version 1\.2\.3/);
    const posing = await listen({ name: "agent-intercom", runtimeVersion: "1\u001b[2J" });
    expect((await findPortOwner(posing)).daemon?.version).toBe("unknown");
  });

  it("still has a sentence when it knows nothing", () => {
    expect(portSentence(80, {})).toBe(
      "Port 80 is taken by another program. Choose another with --port, or 0 for a free one.",
    );
  });

  it("reads the kernel's table of sockets", () => {
    const table = [
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
      "   0: 0100007F:129E 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0 0 4242 1 0 100 0 0 10 0",
      "   1: 0100007F:129E 0100007F:CCCC 01 00000000:00000000 00:00000000 00000000  0 0 4343 1 0 100 0 0 10 0",
      "   2: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0 0 4444 1 0 100 0 0 10 0",
    ].join("\n");
    expect(listeningInodes(table, 4766)).toEqual(["4242"]);
    expect(listeningInodes(table, 80)).toEqual(["4444"]);
    expect(listeningInodes("", 80)).toEqual([]);
  });

  it.runIf(process.platform === "linux")("finds the holder of a socket in a process table", async () => {
    const root = mkdtempSync(join(tmpdir(), "intercom-proc-"));
    mkdirSync(join(root, "net"));
    writeFileSync(join(root, "net/tcp"), "h\n 0: 0100007F:0001 00000000:0000 0A 0:0 00:0 0 0 0 77 1");
    mkdirSync(join(root, "999/fd"), { recursive: true });
    symlinkSync("socket:[77]", join(root, "999/fd/3"));
    writeFileSync(join(root, "999/comm"), "py\u001bthon3\n");
    expect((await findPortOwner(1, { procRoot: root })).process).toEqual({ name: "py?thon3", pid: 999 });
    rmSync(root, { recursive: true });
  });
});

describe("process info", () => {
  it("tells living from dead processes", () => {
    expect(isProcessAlive(process.pid)).toBe(true);
    expect(isProcessAlive(2 ** 22 + 1)).toBe(false);
  });

  it.runIf(process.platform === "linux")(
    "counts an ended process as dead before its parent has collected it",
    async () => {
      // The shell becomes a `sleep` that never collects the child it started before.
      const parent = spawn("sh", ["-c", "sh -c 'exit 0' & echo $!; exec sleep 30"], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      try {
        const [line] = (await once(parent.stdout, "data")) as [Buffer];
        const pid = Number(String(line).trim());
        await vi.waitFor(() => expect(isProcessAlive(pid)).toBe(false), { timeout: 3000, interval: 10 });
        expect(() => process.kill(pid, 0)).not.toThrow();
      } finally {
        parent.kill("SIGKILL");
      }
    },
  );

  it("finds the product's version, and does not invent one", () => {
    expect(productVersion()).toMatch(/^\d+\.\d+\.\d+/);
    expect(productVersion(tmpdir())).toBe("0.0.0");
  });
});
