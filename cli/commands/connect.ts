import { ConnectError, clients, configFile, type Environment, findClient } from "../../connect/index.ts";
import { examples, type Invocation, type Register } from "../command.ts";
import { connect, disconnect, type Job, showSnippet, undoLast } from "../connect/actions.ts";
import { connectFailure } from "../connect/failure.ts";
import { thisMachine } from "../connect/machine.ts";
import { survey, surveyText } from "../connect/survey.ts";
import { verifiedClients } from "../connect/verified.ts";
import { usageError } from "../errors.ts";

interface Options {
  readonly print?: boolean;
  readonly http?: boolean;
  readonly project?: boolean;
  readonly force?: boolean;
  readonly remove?: boolean;
  readonly undo?: boolean;
}

export const register: Register = (command, invocation) => {
  command
    .argument("[client]", "which client; without one, shows all of them")
    .description(
      "Connects an MCP client, such as Claude Code or Codex, so that its agents find each other here. It adds one entry to the " +
        "client's own configuration and touches nothing else in it; a backup is kept. No token is written anywhere.",
    )
    .option("--print", "only show the entry and where it belongs")
    .option("--http", "let the client call the daemon itself, with a token from its environment")
    .option("--project", "connect it in the current folder only, where the client has such a file")
    .option("--force", "also replace or remove an entry of our name that is not ours")
    .option("--remove", "take our entry out again")
    .option("--undo", "put the file back as it was before the latest change")
    .action(async (id: string | undefined, options: Options) => {
      const run = invocation();
      const environment = thisMachine(run.io);
      if (id === undefined) return void showAll(run, environment, options);
      const profile = findClient(id);
      if (!profile) {
        throw usageError(`There is no client '${id}'.`, `Clients: ${clients.map((each) => each.id).join(", ")}`);
      }
      const job: Job = {
        run,
        profile,
        environment,
        place: options.project ? "project" : "user",
        transport: options.http ? "http" : "stdio",
        force: options.force ?? false,
      };
      perform(job, options);
    });
  examples(command, [
    ["connect", "which clients are here, and which are connected"],
    ["connect claude-code"],
    ["connect codex --print", "shows what to paste, and where"],
    ["connect cursor --project", "only in the current folder"],
    ["connect claude-code --remove"],
    ["connect --undo codex"],
  ]);
};

function showAll(run: Invocation, environment: Environment, options: Options): void {
  const [given] = Object.keys(options);
  if (given !== undefined) throw usageError(`--${given} needs a client.`, `For example: agent-intercom connect codex`);
  const found = survey(environment, verifiedClients(run));
  run.out.result({ clients: found }, () => surveyText(found, environment, run.out));
}

function perform(job: Job, { print, remove, undo: isUndo, http }: Options): void {
  const [first, second] = Object.entries({ print, remove, undo: isUndo }).flatMap(([name, on]) => (on ? [name] : []));
  if (second) throw usageError(`--${first} and --${second} do not go together.`);
  if (http && (remove || isUndo)) throw usageError(`--http and --${first} do not go together.`);
  if (http && job.run.options.scope !== undefined) {
    throw usageError("--scope and --http do not go together: over HTTP the token decides which scope it is.");
  }
  let file: string | undefined;
  try {
    file = configFile(job.profile, job.place, job.environment);
    const act = print ? showSnippet : isUndo ? undoLast : remove ? disconnect : connect;
    act(job, file);
  } catch (error) {
    if (error instanceof ConnectError) throw connectFailure(error, job.profile, file);
    throw error;
  }
}
