import type { Command } from "commander";
import { examples, type Register } from "../command.ts";
import { usageError } from "../errors.ts";
import { EXIT, EXIT_MEANINGS, type ExitName } from "../exit-codes.ts";
import { facts } from "../output/table.ts";

/** The environment variables the command line and the daemon read. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  AGENT_INTERCOM_SCOPE: "The scope to act in, like --scope.",
  AGENT_INTERCOM_ADDRESS: "The daemon to talk to, like --address.",
  AGENT_INTERCOM_AGENT_TOKEN: "Set by `agent run`: commands act as that agent, and owner commands are refused.",
  AGENT_INTERCOM_SCOPE_TOKEN: "Act as the owner of the scope this token belongs to.",
  AGENT_INTERCOM_ADMIN_TOKEN: "The admin credential of the daemon at AGENT_INTERCOM_ADDRESS.",
  AGENT_INTERCOM_OUTPUT_CREDENTIAL: "A credential of an output stream, for output read and output publish.",
  AGENT_INTERCOM_PROFILE: "The profile agent-intercom mcp is an agent of, like mcp --profile.",
  AGENT_INTERCOM_DATA_DIR:
    "Where the daemon keeps its database and logs, and mcp --profile its credentials, like start --data-dir.",
  AGENT_INTERCOM_RUNTIME_DIR: "Where the daemon leaves its run file, like --runtime-dir.",
  AGENT_INTERCOM_PORT: "The port the daemon listens on, like start --port.",
  AGENT_INTERCOM_OCTOBER_BUS_PORT:
    "The port for clients of October Bus 0.1, like start --october-bus-port. Unset: there is none.",
  AGENT_INTERCOM_LOG: "How much the daemon logs: debug, info, warn, error or silent.",
  NO_COLOR: "Set to anything: no colours.",
};

interface Topic {
  readonly text: () => string;
  readonly data: () => unknown;
}

const topics: Readonly<Record<string, Topic>> = {
  "exit-codes": {
    text: () =>
      Object.entries(EXIT_MEANINGS)
        .map(([name, meaning]) => `${String(EXIT[name as ExitName]).padStart(3)}  ${meaning}`)
        .concat(
          "",
          "agent run returns the exit code of the program it ran, or 128 plus the number of the signal that ended it;",
          "127 when the program was not found and 126 when it cannot be run.",
        )
        .join("\n"),
    data: () => Object.fromEntries(Object.entries(EXIT_MEANINGS).map(([name, text]) => [EXIT[name as ExitName], text])),
  },
  environment: {
    text: () => facts(Object.entries(ENVIRONMENT)),
    data: () => ENVIRONMENT,
  },
};

export const register: Register = (command, invocation) => {
  command.argument("[topic...]", "a command, exit-codes or environment").action(async (words: string[]) => {
    const [first] = words;
    const program = command.parent as Command;
    if (first === undefined) return program.outputHelp();
    const topic = Object.hasOwn(topics, first) ? topics[first] : undefined;
    if (topic) return invocation().out.result(topic.data(), topic.text);
    const names = program.commands.map((each) => each.name());
    if (!names.includes(first)) {
      throw usageError(`There is no help on '${first}'.`, `Topics: ${[...Object.keys(topics), ...names].join(", ")}`);
    }
    await program.parseAsync([...words, "--help"], { from: "user" });
  });
  examples(command, [["help task claim"], ["help exit-codes"], ["help environment"]]);
};
