import type { Register } from "../command.ts";

interface Noun {
  readonly group: string;
  readonly name: string;
  readonly summary: string;
  /** Kept apart, so that a quick command does not load what a slow one needs. */
  readonly load: () => Promise<Register>;
}

/** Every command, in the order in which help shows them. */
export const nouns: readonly Noun[] = [
  {
    group: "Daemon",
    name: "start",
    summary: "start the daemon",
    load: async () => (await import("./start.ts")).register,
  },
  {
    group: "Daemon",
    name: "stop",
    summary: "stop the daemon",
    load: async () => (await import("./stop.ts")).register,
  },
  {
    group: "Daemon",
    name: "status",
    summary: "show whether the daemon runs and what goes on",
    load: async () => (await import("./status.ts")).register,
  },
  {
    group: "Daemon",
    name: "ui",
    summary: "open the user interface in a browser",
    load: async () => (await import("./ui.ts")).register,
  },
  {
    group: "Daemon",
    name: "doctor",
    summary: "look for problems and say what to do about them",
    load: async () => (await import("./doctor.ts")).register,
  },
  {
    group: "Daemon",
    name: "backup",
    summary: "make, check and restore backups of everything the daemon has",
    load: async () => (await import("./backup.ts")).register,
  },
  {
    group: "Daemon",
    name: "demo",
    summary: "watch two agents work together, on a daemon of their own",
    load: async () => (await import("./demo.ts")).register,
  },
  {
    group: "Daemon",
    name: "conformance",
    summary: "examine whether a daemon or an adapter keeps the protocol",
    load: async () => (await import("./conformance.ts")).register,
  },
  {
    group: "Agents",
    name: "agent",
    summary: "list agents, or run a program as one",
    load: async () => (await import("./agent.ts")).register,
  },
  {
    group: "Agents",
    name: "mcp",
    summary: "speak MCP on standard input and output, for a client",
    load: async () => (await import("./mcp.ts")).register,
  },
  {
    group: "Agents",
    name: "connect",
    summary: "connect an MCP client, such as Claude Code or Codex",
    load: async () => (await import("./connect.ts")).register,
  },
  {
    group: "Agents",
    name: "connector",
    summary: "issue and manage credentials with which MCP clients become agents",
    load: async () => (await import("./connector.ts")).register,
  },
  {
    group: "Agents",
    name: "link",
    summary: "decide which agents are peers",
    load: async () => (await import("./link.ts")).register,
  },
  {
    group: "Agents",
    name: "scope",
    summary: "make and manage scopes, which keep groups of agents apart",
    load: async () => (await import("./scope.ts")).register,
  },
  {
    group: "Work",
    name: "message",
    summary: "send messages and see how far they came",
    load: async () => (await import("./message.ts")).register,
  },
  {
    group: "Work",
    name: "inbox",
    summary: "read what agents sent to you",
    load: async () => (await import("./inbox.ts")).register,
  },
  {
    group: "Work",
    name: "task",
    summary: "add, find, claim and finish shared tasks",
    load: async () => (await import("./task.ts")).register,
  },
  {
    group: "Work",
    name: "ask",
    summary: "as an agent, ask the human and wait for the answer",
    load: async () => (await import("./ask.ts")).register,
  },
  {
    group: "Work",
    name: "escalations",
    summary: "see and answer the questions agents ask you",
    load: async () => (await import("./escalations.ts")).register,
  },
  {
    group: "Work",
    name: "events",
    summary: "see what happened, or watch what happens",
    load: async () => (await import("./events.ts")).register,
  },
  {
    group: "Outside",
    name: "output",
    summary: "publish streams of values to readers outside the scope",
    load: async () => (await import("./output.ts")).register,
  },
  {
    group: "Outside",
    name: "a2a",
    summary: "publish agents to A2A clients",
    load: async () => (await import("./a2a.ts")).register,
  },
  {
    group: "About",
    name: "help",
    summary: "show help on a command, or on exit-codes or environment",
    load: async () => (await import("./help.ts")).register,
  },
  {
    group: "About",
    name: "version",
    summary: "show the version",
    load: async () => (await import("./version.ts")).register,
  },
];
