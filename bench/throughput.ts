import type { HttpConnection } from "./lib/http-connection.ts";
import type { Row } from "./lib/report.ts";
import { median } from "./lib/statistics.ts";
import { bodyOf, freshDirectory, makePair, openConnections, type Pair, startSubject } from "./lib/subject.ts";

const IN_FLIGHT = 32;
const ROUNDS = 5;

async function perSecond(
  seconds: number,
  connections: readonly HttpConnection[],
  next: (connection: HttpConnection, index: number) => Promise<void>,
) {
  const until = performance.now() + seconds * 1000;
  const begin = performance.now();
  let done = 0;
  await Promise.all(
    connections.map(async (connection, index) => {
      while (performance.now() < until) {
        await next(connection, index);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - begin) / 1000);
}

/** Durable sends per second against an express route of the same process that parses the same body and stores nothing. */
export async function throughput(seconds: number): Promise<Row[]> {
  const directory = freshDirectory();
  const subject = await startSubject(directory.path);
  const [setup] = await openConnections(subject.address, 1);
  const pairs: Pair[] = [];
  for (let index = 0; index < IN_FLIGHT; index += 1)
    pairs.push(await makePair(setup as HttpConnection, subject.adminToken));
  const sending = await openConnections(subject.address, IN_FLIGHT);
  const echoing = await openConnections(subject.echo, IN_FLIGHT);
  const body = JSON.stringify({ to: "receiver", body: bodyOf(1024) });
  let key = 0;
  const send = async (connection: HttpConnection, index: number) => {
    key += 1;
    const token = pairs[index]?.sender.token as string;
    const request = connection.encode("POST", "/v1/messages", {
      token,
      body,
      headers: `Idempotency-Key: key-${key}\r\n`,
    });
    const answer = await connection.send(request);
    if (answer.status !== 202) throw new Error(answer.body);
  };
  const echo = async (connection: HttpConnection, index: number) => {
    key += 1;
    const token = pairs[index]?.sender.token as string;
    const request = connection.encode("POST", "/echo", { token, body, headers: `Idempotency-Key: key-${key}\r\n` });
    const answer = await connection.send(request);
    if (answer.status !== 200) throw new Error(answer.body);
  };
  await perSecond(1, echoing, echo);
  await perSecond(1, sending, send);
  const rates: { echo: number; send: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const echoRate = await perSecond(seconds, echoing, echo);
    rates.push({ echo: echoRate, send: await perSecond(seconds, sending, send) });
  }
  for (const connection of [...sending, ...echoing, setup]) connection?.close();
  await subject.stop();
  directory.remove();
  const ratio = median(rates.map((rate) => rate.send / rate.echo));
  const note = `1 KiB, ${IN_FLIGHT} in flight, with idempotency key`;
  return [
    { what: "express echo", value: median(rates.map((rate) => rate.echo)), unit: "/s", note },
    { what: "durable sends", value: median(rates.map((rate) => rate.send)), unit: "/s", note },
    { what: "durable sends / express echo", value: ratio, unit: "", target: { atLeast: 0.45 } },
  ];
}
