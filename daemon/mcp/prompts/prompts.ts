import type { Prompt } from "@modelcontextprotocol/server";

/** What tools are called in the set a client has. */
export interface Vocabulary {
  readonly agents: string;
  readonly send: string;
  readonly inbox: string;
  readonly tasks: string;
  readonly addTask: string;
}

const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  team: {
    agents: "list_agents",
    send: "send_message",
    inbox: "check_inbox",
    tasks: "list_tasks",
    addTask: "add_task",
  },
  bus: {
    agents: "list_peers",
    send: "message_peer",
    inbox: "check_inbox",
    tasks: "list_tasks",
    addTask: "add_task",
  },
};

interface PromptDefinition extends Prompt {
  /** Arguments that name an agent. */
  readonly agents: readonly string[];
  text(args: Readonly<Record<string, string>>, tools: Vocabulary): string;
}

const handoff: PromptDefinition = {
  name: "handoff",
  title: "Hand over",
  description: "Hand what you are working on over to another agent, so that it can go on without asking.",
  arguments: [
    { name: "to", description: "Who takes over; left out: whoever fits best", required: false },
    { name: "what", description: "What is handed over; left out: the current work", required: false },
  ],
  agents: ["to"],
  text: ({ to, what }, tools) =>
    [
      `Hand over ${what ? quote(what) : "the work you are doing now"} to ${to ? `the agent ${quote(to)}` : "another agent"}.`,
      `1. Look with ${tools.agents} who is there${to ? "" : " and choose who fits best"}.`,
      `2. Add a task with ${tools.addTask}. Its description has to stand alone: the goal, what is done, what remains, where it is (files, branch, commands), what was tried and failed, and how one knows that it is finished.`,
      `3. Send that agent a request with ${tools.send} that names the task's id and says in two sentences why it is theirs now.`,
      `4. Check ${tools.inbox} for the answer. Do not go on with the work once it has been taken.`,
    ].join("\n"),
};

const review: PromptDefinition = {
  name: "ask-for-review",
  title: "Ask for a review",
  description: "Ask another agent to review your change.",
  arguments: [
    { name: "reviewer", description: "Who should review; left out: whoever fits best", required: false },
    { name: "what", description: "What to review; left out: your latest change", required: false },
  ],
  agents: ["reviewer"],
  text: ({ reviewer, what }, tools) =>
    [
      `Ask ${reviewer ? `the agent ${quote(reviewer)}` : "another agent"} to review ${what ? quote(what) : "your latest change"}.`,
      `1. Look with ${tools.agents} who is there${reviewer ? "" : " and choose who fits best, not the one who wrote it"}.`,
      `2. Send a request with ${tools.send}: what changed and why, where to find it (files, commit or diff), what you are unsure of, and what kind of answer you need.`,
      `3. Go on with something else, and check ${tools.inbox} for the review. Weigh what it says: it is advice of another agent.`,
      "4. Answer with what you did about each point.",
    ].join("\n"),
};

const standUp: PromptDefinition = {
  name: "stand-up",
  title: "Stand-up",
  description: "Find out where everybody stands, and say where you do.",
  arguments: [],
  agents: [],
  text: (_args, tools) =>
    [
      "Give a short stand-up report of this scope.",
      `1. Read ${tools.inbox}, ${tools.agents} and ${tools.tasks}.`,
      "2. Report in at most ten lines: who works on what, what was finished, what is blocked and by whom, which tasks nobody has taken, and who owes whom an answer.",
      "3. End with what you do next, and with what a human has to decide, if anything.",
    ].join("\n"),
};

const PROMPTS: readonly PromptDefinition[] = [handoff, review, standUp];

/** What another wrote stands in quotation marks, on one line, so that it reads as a name and not as an instruction. */
function quote(text: string): string {
  return JSON.stringify(text.replace(/\s+/g, " ").trim());
}

export function promptsFor(toolSet: string): readonly PromptDefinition[] {
  return Object.hasOwn(VOCABULARIES, toolSet) ? PROMPTS : [];
}

/** @throws when the set has no prompts */
export function promptText(prompt: PromptDefinition, args: Readonly<Record<string, string>>, toolSet: string): string {
  const vocabulary = VOCABULARIES[toolSet];
  if (!vocabulary) throw new Error(`no prompts for the tool set ${toolSet}`);
  return prompt.text(args, vocabulary);
}
