import type { HttpConnection } from "./lib/http-connection.ts";
import type { Row } from "./lib/report.ts";
import { median, percentile, timeEach } from "./lib/statistics.ts";
import { bodyOf, freshDirectory, makeAgent, makePair, openConnections, startSubject } from "./lib/subject.ts";

const SAMPLES = 2000;
const BYSTANDERS = 1000;
/** Waiting calls a scope takes. */
const PER_SCOPE = 125;

/** One send at a time, and how fast a waiting recipient has the message, also with many others waiting. */
export async function latency(): Promise<Row[]> {
  const directory = freshDirectory();
  const subject = await startSubject(directory.path);
  const [setup, sending, receiving] = (await openConnections(subject.address, 3)) as [
    HttpConnection,
    HttpConnection,
    HttpConnection,
  ];
  const [echoing] = (await openConnections(subject.echo, 1)) as [HttpConnection];
  const pair = await makePair(setup, subject.adminToken);
  const message = { to: pair.receiver.id, body: bodyOf(1024) };
  const echoRequest = echoing.encode("POST", "/echo", { token: pair.sender.token, body: JSON.stringify(message) });

  const drain = async () => {
    const reservation = await receiving.call<Reservation>("POST", "/v1/inbox/reserve", pair.receiver.token, {
      limit: 100,
    });
    if (!reservation) return false;
    await settle(receiving, pair.receiver.token, reservation);
    return true;
  };
  const sendOne = async (index: number) => {
    await sending.call("POST", "/v1/messages", pair.sender.token, { ...message, idempotencyKey: `one-${index}` });
  };
  await timeEach(300, () => echoing.send(echoRequest));
  await timeEach(300, (index) => sendOne(-1 - index));
  const echo = median(await timeEach(SAMPLES, () => echoing.send(echoRequest)));
  const send = median(await timeEach(SAMPLES, sendOne));
  const { ms: commit } = await subject.ask<{ ms: number }>("commit");
  while (await drain());

  const quiet = await wakeTimes(sending, receiving, pair, message, "quiet");
  const crowd = await openConnections(subject.address, BYSTANDERS);
  const waits = await startBystanders(setup, subject.adminToken, crowd);
  const crowded = await wakeTimes(sending, receiving, pair, message, "crowd");
  for (const connection of [...crowd, setup, sending, receiving, echoing]) connection.close();
  await Promise.allSettled(waits);
  await subject.stop();
  directory.remove();
  const note = `${SAMPLES} samples`;
  return [
    { what: "echo p50", value: echo, unit: "ms", note },
    { what: "single-row FULL commit p50", value: commit, unit: "ms", note },
    { what: "one send at a time p50", value: send, unit: "ms", note },
    { what: "send p50 / (echo + commit)", value: send / (echo + commit), unit: "", target: { atMost: 2 } },
    { what: "send to wake p50", value: median(quiet), unit: "ms", note },
    { what: "send to wake p50 / send p50", value: median(quiet) / send, unit: "", target: { atMost: 2 } },
    { what: "send to wake p99 / send p50", value: percentile(quiet, 0.99) / send, unit: "", target: { atMost: 10 } },
    { what: "same with 1,000 waiting, p50", value: median(crowded) / send, unit: "", target: { atMost: 2 } },
    { what: "same with 1,000 waiting, p99", value: percentile(crowded, 0.99) / send, unit: "", target: { atMost: 10 } },
  ];
}

interface Reservation {
  readonly id: string;
  readonly messages: readonly { readonly id: string }[];
}

async function settle(connection: HttpConnection, token: string, reservation: Reservation): Promise<void> {
  await connection.call("POST", `/v1/inbox/${reservation.id}/commit`, token, {});
  const messageIds = reservation.messages.map((message) => message.id);
  await connection.call("POST", "/v1/messages/ack", token, { messageIds });
}

/** From the begin of a send to the return of the long poll that waited for it. */
async function wakeTimes(
  sending: HttpConnection,
  receiving: HttpConnection,
  pair: { sender: { token: string }; receiver: { token: string } },
  message: object,
  label: string,
): Promise<number[]> {
  const samples: number[] = [];
  for (let index = 0; index < SAMPLES; index += 1) {
    const arrival = receiving.call<Reservation>("POST", "/v1/inbox/reserve", pair.receiver.token, { waitMs: 20_000 });
    // Lets the recipient's wait begin before the message is sent.
    await sending.call("GET", "/v1/me", pair.sender.token);
    const begin = performance.now();
    const sent = sending.call("POST", "/v1/messages", pair.sender.token, {
      ...message,
      idempotencyKey: `${label}-${index}`,
    });
    const reservation = await arrival;
    samples.push(performance.now() - begin);
    await sent;
    await settle(receiving, pair.receiver.token, reservation);
  }
  return samples;
}

async function startBystanders(
  setup: HttpConnection,
  adminToken: string,
  crowd: readonly HttpConnection[],
): Promise<Promise<unknown>[]> {
  const waits: Promise<unknown>[] = [];
  let scopeToken = "";
  for (const [index, connection] of crowd.entries()) {
    if (index % PER_SCOPE === 0) {
      ({ scopeToken } = await setup.call<{ scopeToken: string }>("POST", "/v1/scopes", adminToken, {}));
    }
    const agent = await makeAgent(setup, scopeToken, `bystander-${index}`, []);
    waits.push(waitForEver(connection, agent.token));
  }
  return waits;
}

async function waitForEver(connection: HttpConnection, token: string): Promise<void> {
  for (;;) {
    try {
      await connection.call("POST", "/v1/inbox/reserve", token, { waitMs: 25_000 });
    } catch {
      // The benchmark closed the connection.
      return;
    }
  }
}
