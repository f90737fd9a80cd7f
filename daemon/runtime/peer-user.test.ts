import { mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { useTemporaryDirectory } from "../../test/fixtures/temporary-directory.ts";
import { peerUser } from "./peer-user.ts";

const path = useTemporaryDirectory();

const HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
const line = (own: string, other: string, uid: number) =>
  `   1: ${own} ${other} 01 00000000:00000000 00:00000000 00000000  ${uid}        0 99 1 0000000000000000 20 4 30 10 -1`;

/** Ports 4766 (129E) here and 50000 (C350) there. */
const CONNECTION = { localPort: 4766, remotePort: 50_000 };

function tables(tcp: readonly string[], tcp6: readonly string[] = []): string {
  mkdirSync(path("net"));
  writeFileSync(path("net", "tcp"), [HEAD, ...tcp, ""].join("\n"));
  writeFileSync(path("net", "tcp6"), [HEAD, ...tcp6, ""].join("\n"));
  return path();
}

test("it is the user of the line that has the ports the other way round", async () => {
  const root = tables([
    line("0100007F:129E", "00000000:0000", 1000),
    line("0100007F:129E", "0100007F:C350", 1000),
    line("0100007F:C350", "0100007F:129F", 7),
    line("0200000A:C350", "0100007F:129E", 8),
    line("0100007F:C350", "0100007F:129E", 1001),
  ]);
  expect(await peerUser(CONNECTION, root)).toBe(1001);
});

test("programs that connect over IPv6 to an IPv4 address are found as well", async () => {
  const [own, other] = ["0000000000000000FFFF00000100007F:C350", "0000000000000000FFFF00000100007F:129E"];
  expect(await peerUser(CONNECTION, tables([], [line(own, other, 33)]))).toBe(33);
});

test("nothing is known where there are no such tables, or no such line", async () => {
  expect(await peerUser(CONNECTION, path("nowhere"))).toBeUndefined();
  expect(await peerUser(CONNECTION, tables(["broken", line("0100007F:C350", "0100007F:129F", 7)]))).toBeUndefined();
});

const onLinux = process.platform === "linux" ? test : test.skip;

onLinux("the real tables say that we are at the other end of our own connection", async () => {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  const server = createServer(resolve).listen(0, "127.0.0.1");
  try {
    await new Promise((listening) => server.once("listening", listening));
    const { port } = server.address() as { port: number };
    const client = connect(port, "127.0.0.1");
    const { localPort, remotePort } = await promise;
    expect(await peerUser({ localPort, remotePort })).toBe(process.getuid?.());
    client.destroy();
  } finally {
    server.close();
  }
});
