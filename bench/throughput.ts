import type { HttpConnection } from "./lib/http-connection.ts";
import { type Next, perSecond } from "./lib/per-second.ts";
import type { Row } from "./lib/report.ts";
import { median } from "./lib/statistics.ts";
import { type Agent, bodyOf, freshDirectory, makeTeam, openConnections, startSubject } from "./lib/subject.ts";

const IN_FLIGHT = 32;
const ROUNDS = 5;
/** Messages per scope: fifty that wait in each inbox, which is a lot for a team that works. */
const PER_SCOPE = 1600;
/** Sends per second that scopes are prepared for. */
const FASTEST = 15_000;

interface Lane {
  readonly from: Agent;
  readonly to: Agent;
}

/** Both agents of every pair write to each other: as many lanes as calls in flight. */
function lanesOf(pairs: readonly { readonly sender: Agent; readonly receiver: Agent }[]): Lane[] {
  return pairs.flatMap(({ sender, receiver }) => [
    { from: sender, to: receiver },
    { from: receiver, to: sender },
  ]);
}

/** Teams made by several connections at a time. */
async function makeTeams(
  connections: readonly HttpConnection[],
  adminToken: string,
  count: number,
  pairs = IN_FLIGHT / 2,
): Promise<Lane[][]> {
  const teams: Lane[][] = [];
  let begun = 0;
  await Promise.all(
    connections.map(async (connection) => {
      while (begun < count) {
        begun += 1;
        teams.push(lanesOf(await makeTeam(connection, adminToken, pairs)));
      }
    }),
  );
  return teams;
}

/**
 * Durable sends per second against an express route of the same process that parses the same body and stores nothing:
 * once from 32 agents of one scope, as a team is, and once from 32 scopes, where no two calls share a page.
 */
export async function throughput(seconds: number): Promise<Row[]> {
  const directory = freshDirectory();
  const subject = await startSubject(directory.path);
  // Everything is made before the time that is measured, and before connections open that could fall asleep meanwhile.
  const setup = await openConnections(subject.address, 16);
  const scopes = Math.ceil((FASTEST * (ROUNDS * seconds + 1)) / PER_SCOPE);
  const spare = await makeTeams(setup, subject.adminToken, scopes);
  const strangers = (await makeTeams(setup, subject.adminToken, IN_FLIGHT, 1)).map(([lane]) => lane as Lane);
  for (const connection of setup) connection.close();
  const sending = await openConnections(subject.address, IN_FLIGHT);
  const echoing = await openConnections(subject.echo, IN_FLIGHT);
  const body = bodyOf(1024);
  let key = 0;
  const post = async (connection: HttpConnection, path: string, lane: Lane, status: number) => {
    key += 1;
    const request = connection.encode("POST", path, {
      token: lane.from.token,
      body: `{"to":"${lane.to.id}","body":"${body}"}`,
      headers: `Idempotency-Key: ${String(key).padStart(12, "0")}\r\n`,
    });
    const answer = await connection.send(request);
    if (answer.status !== status) throw new Error(answer.body);
  };

  let team: Lane[] = [];
  let left = 0;
  const sendInTeam: Next = async (connection, index) => {
    if (left === 0) {
      left = PER_SCOPE;
      const next = spare.pop();
      if (!next) throw new Error(`more than ${FASTEST} sends per second: raise FASTEST`);
      team = next;
    }
    left -= 1;
    await post(connection, "/v1/messages", team[index] as Lane, 202);
  };
  const sendApart: Next = (connection, index) => post(connection, "/v1/messages", strangers[index] as Lane, 202);
  const echo: Next = (connection, index) => post(connection, "/echo", strangers[index] as Lane, 200);

  await perSecond(1, echoing, echo);
  await perSecond(1, sending, sendApart);
  await perSecond(1, sending, sendInTeam);
  const rates: { echo: number; team: number; apart: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.push({
      echo: await perSecond(seconds, echoing, echo),
      team: await perSecond(seconds, sending, sendInTeam),
      apart: await perSecond(seconds / 2, sending, sendApart),
    });
  }
  for (const connection of [...sending, ...echoing]) connection.close();
  await subject.stop();
  directory.remove();
  const note = `1 KiB, ${IN_FLIGHT} in flight, idempotency keys`;
  return [
    { what: "express echo", value: median(rates.map((rate) => rate.echo)), unit: "/s", note },
    { what: "durable sends, one scope", value: median(rates.map((rate) => rate.team)), unit: "/s", note },
    {
      what: "durable sends / express echo",
      value: median(rates.map((rate) => rate.team / rate.echo)),
      unit: "",
      target: { atLeast: 0.45 },
    },
    { what: "same, 32 scopes", value: median(rates.map((rate) => rate.apart / rate.echo)), unit: "" },
  ];
}
