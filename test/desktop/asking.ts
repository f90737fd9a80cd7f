// What specs about questions have in common: agents that really ask the app's daemon, and the app with a bar for icons.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import type { Page } from "@playwright/test";
import { AdminClient, type AgentClient, type ScopeClient } from "../../client/index.ts";
import { resolveDirectories } from "../../daemon/runtime/index.ts";
import { readRunFile } from "../../daemon/runtime/run-file.ts";
import type { Escalation, OperationInput } from "../../protocol/index.ts";
import type { TrayState } from "../desktop-host/desktop/tray.ts";
import "../desktop-host/handle.ts";
import { test as base, type Desktop, type DesktopHome, expect, isStandIn } from "../support/desktop.ts";

/** An agent in the scope the app's daemon begins with. */
export interface Asking {
  readonly scope: ScopeClient;
  readonly agent: AgentClient;
  ask(input: OperationInput<"askHuman">): Promise<Escalation>;
  /** The question once somebody has answered it: what the agent's own waiting call gives. */
  answered(question: Escalation): Promise<Escalation>;
}

interface Fixtures {
  /** A running app in a desktop whose bar shows icons. */
  desktop: Desktop;
  /** The same app, once its daemon is there, with an agent that asks. */
  asking: Asking;
}

export const test = base.extend<Fixtures>({
  desktop: async ({ launchDesktop }, use) => {
    base.skip(!isStandIn, "takes the tray and the notifications in its hand");
    const tools = barTools();
    await use(await launchDesktop({ env: { PATH: `${tools}${delimiter}${process.env.PATH ?? ""}`, ...bus } }));
    rmSync(tools, { recursive: true });
  },
  asking: async ({ desktop }, use) => use(await agentOf(desktop)),
});

/** Whether there is a session bus; nothing is asked of the one named here. */
const bus = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };

/** A folder with a tool that says what the bus of a desktop with a bar for icons says. */
function barTools(): string {
  const folder = mkdtempSync(join(tmpdir(), "ai-bar-"));
  const tool = join(folder, "gdbus");
  writeFileSync(tool, "#!/bin/sh\necho '(true,)'\n");
  chmodSync(tool, 0o755);
  return folder;
}

/** The owner of the app's daemon, once that runs. */
export async function adminOf(home: DesktopHome): Promise<AdminClient> {
  const { runFile } = resolveDirectories({
    env: { AGENT_INTERCOM_DATA_DIR: home.dataDir, AGENT_INTERCOM_RUNTIME_DIR: home.runtimeDir },
  });
  await expect.poll(() => readRunFile(runFile).state, { message: "the daemon", timeout: 45_000 }).toBe("present");
  const reading = readRunFile(runFile);
  if (reading.state !== "present") throw new Error("the daemon has ended");
  return new AdminClient({ address: reading.run.address, adminToken: reading.run.adminToken });
}

/** Waits for the daemon of the app, and registers an agent with it. */
export async function agentOf({ home }: Desktop): Promise<Asking> {
  const admin = await adminOf(home);
  // The app makes it when it has found its daemon.
  const scopes = async (): Promise<string[]> => (await admin.overview({})).scopes.map(({ scopeId }) => scopeId);
  await expect.poll(scopes, { timeout: 45_000 }).toContain("default");
  const scope = admin.scope("default");
  const { agentToken } = await scope.registerAgent({ id: "builder", displayName: "Builder" });
  const agent = scope.agent(agentToken);
  return {
    scope,
    agent,
    ask: (input) => agent.askHuman(input),
    answered: async ({ id }) => {
      let question: Escalation;
      do question = await agent.getEscalation({ escalationId: id, waitMs: 20_000 });
      while (question.status === "pending");
      return question;
    },
  };
}

export function trayOf({ app }: Desktop): Promise<TrayState> {
  return app.evaluate(() => desktopHost.tray.state());
}

/** Chooses an item of the tray's menu once it is there. */
export async function choose({ app }: Desktop, id: string): Promise<void> {
  const attempt = (): Promise<string> =>
    app.evaluate((_, item) => {
      try {
        desktopHost.tray.choose(item);
        return "chosen";
      } catch (error) {
        return String(error);
      }
    }, id);
  await expect.poll(attempt).toBe("chosen");
}

/** The page of the answer window, which is there from the beginning. */
export async function answerPage({ app }: Desktop): Promise<Page> {
  const found = (): Page | undefined => app.windows().find((page) => page.url().includes("/answer.html"));
  await expect.poll(() => found() !== undefined, "the answer window").toBe(true);
  return found() as Page;
}

/** What became of showing a question, as the daemon has recorded it. */
export async function noticesOf({ scope }: Asking, { id }: Escalation): Promise<string[]> {
  const { events } = await scope.listEvents({ after: 0, limit: 100 });
  return events
    .filter(({ type, subjectId }) => type === "escalation.shown" && subjectId === id)
    .map(({ attributes }) => `${attributes.surface} ${attributes.verdict}`);
}

export { expect };
