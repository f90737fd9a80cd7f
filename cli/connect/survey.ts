import {
  type ClientProfile,
  ConnectError,
  type Connection,
  clients,
  configFile,
  detect,
  type Environment,
  inspect,
  type Place,
} from "../../connect/index.ts";
import type { Printer } from "../output/printer.ts";
import { table } from "../output/table.ts";
import { count, escapeForTerminal } from "../output/text.ts";
import { shortPath } from "./report.ts";
import { type Verified, verifiedText } from "./verified.ts";

/** What is known of one client's configuration in one place. */
interface Spot {
  readonly place: Place;
  readonly file: string;
  readonly state: Connection["state"] | "unreadable";
  readonly transport?: string;
  readonly off?: boolean;
  readonly reason?: string;
}

interface Surveyed {
  readonly client: string;
  readonly name: string;
  readonly found: boolean;
  readonly program?: string;
  readonly spots: readonly Spot[];
  /** Only what a round trip with its program has shown. */
  readonly verified?: Verified;
}

/** Looks at every client; those that are here come first. */
export function survey(environment: Environment, verified: ReadonlyMap<string, Verified>): Surveyed[] {
  const all = clients.map((profile): Surveyed => {
    const { id, name, files } = profile;
    const places: Place[] = files.project ? ["user", "project"] : ["user"];
    const seen = places.map((place) => spotAt(profile, place, environment));
    // In the home folder some clients have one file for both.
    const spots = seen.filter(({ file }, index) => seen.findIndex((other) => other.file === file) === index);
    const shown = verified.get(id);
    return { client: id, name, ...detect(profile, environment), spots, ...(shown ? { verified: shown } : {}) };
  });
  return [...all.filter(({ found }) => found), ...all.filter(({ found }) => !found)];
}

function spotAt(profile: ClientProfile, place: Place, environment: Environment): Spot {
  const file = configFile(profile, place, environment);
  try {
    const connection = inspect(profile, file);
    if (connection.state !== "connected") return { place, file, state: connection.state };
    const { state, transport, isOff } = connection;
    return { place, file, state, transport, ...(isOff ? { off: true } : {}) };
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    return { place, file, state: "unreadable", reason: error.message };
  }
}

export function surveyText(surveyed: readonly Surveyed[], environment: Environment, out: Printer): string {
  const rows = surveyed.map((each) => ({ ...each, spot: shownSpot(each.spots) }));
  const text = table<(typeof rows)[number]>(
    [
      { title: "client", cell: ({ client }) => client },
      { title: "name", cell: ({ name }) => name, dropBelow: 100 },
      { title: "found", cell: ({ found }) => (found ? "yes" : "-") },
      { title: "connected", cell: ({ spots }) => spots.map(spotText).filter(Boolean).join(", ") || "-" },
      { title: "verified with", cell: ({ verified }) => (verified ? verifiedText(verified) : ""), dropBelow: 100 },
      { title: "config file", cell: ({ spot }) => shortPath(spot.file, environment), shrinkTo: 16 },
    ],
    rows,
    out.width,
  );
  const problems = surveyed.flatMap(({ spots }) =>
    spots.flatMap(({ reason }) => (reason ? [escapeForTerminal(reason)] : [])),
  );
  const open = surveyed.filter(({ found, spots }) => found && !spots.some(({ state }) => state === "connected"));
  const connected = surveyed.filter(({ spots }) => spots.some(({ state }) => state === "connected"));
  const next = open[0]?.client ?? surveyed[0]?.client;
  return [
    text,
    "",
    ...(problems.length > 0 ? [...problems, ""] : []),
    connected.length > 0 ? `${count(connected.length, "client")} connected.` : "No client is connected yet.",
    open.length > 0 || connected.length === 0 ? `Connect one with: agent-intercom connect ${next}` : "",
  ]
    .filter((line, index) => line !== "" || index < 2 || problems.length > 0)
    .join("\n")
    .trimEnd();
}

/** The place worth naming: where we are connected or something is wrong, else the user's own. */
function shownSpot(spots: readonly Spot[]): Spot {
  return (spots.find(({ state }) => state !== "absent") ?? spots[0]) as Spot;
}

function spotText({ place, state, transport, off }: Spot): string {
  const where = place === "project" ? " in this project" : "";
  if (state === "absent") return "";
  if (state === "taken") return `name taken${where}`;
  if (state === "unreadable") return `unreadable${where}`;
  return `${off ? "switched off" : "yes"}${transport === "http" ? " (http)" : ""}${where}`;
}
