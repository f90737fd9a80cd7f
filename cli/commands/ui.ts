import type { AdminClient } from "../../client/index.ts";
import type { SignInLink, UiSession } from "../../protocol/index.ts";
import { given } from "../arguments.ts";
import { type Register, subcommand } from "../command.ts";
import { Context } from "../context.ts";
import { requireDaemon } from "../daemon-process/require-daemon.ts";
import { usageError } from "../errors.ts";
import type { Printer } from "../output/printer.ts";
import { table } from "../output/table.ts";
import { count, escapeForTerminal } from "../output/text.ts";
import { duration, relative } from "../output/time.ts";
import { type Opening, openBrowser } from "../ui/open-browser.ts";

export const register: Register = (command, invocation) => {
  command.description(
    "Opens the user interface in your browser, where there is no desktop app. Starts the daemon when none runs. The link it " +
      "prints signs one browser in, once, within a minute.",
  );

  subcommand(command, "open", {
    summary: "sign a browser in and open the user interface in it",
    isDefault: true,
    examples: [["ui"], ["ui --no-open", "only print the link"]],
  })
    .option("--no-open", "do not open the browser")
    .action(async ({ open }: { open: boolean }) => {
      const context = new Context(invocation());
      const { directories, io, out } = context;
      // Whoever may not have a link must not start anything either; asking for one says why.
      if (!context.isAgentShell() && context.givenAddress() === undefined) {
        await requireDaemon({ directories, env: io.env, mayStart: true });
      }
      const link = await context.admin().createSignInLink();
      const opening = open ? await openBrowser(link.url, io.env) : undefined;
      const reason = opening?.opened === false ? opening.reason : undefined;
      out.result({ ...link, opened: opening?.opened ?? false, ...given({ reason }) }, () =>
        linkText(link, opening, out).join("\n"),
      );
    });

  subcommand(command, "sessions", {
    summary: "show which browsers are signed in",
    examples: [["ui sessions"]],
  }).action(async () => {
    const context = new Context(invocation());
    const { out } = context;
    const sessions = await context.admin().listUiSessions();
    out.result({ sessions }, () =>
      sessions.length === 0
        ? "No browser is signed in. Sign one in with: agent-intercom ui"
        : sessionTable(sessions, out),
    );
  });

  subcommand(command, "sign-out [session]", {
    summary: "sign a browser out, or all of them",
    examples: [["ui sign-out uis_0199..."], ["ui sign-out --all"]],
  })
    .option("--all", "every browser")
    .action(async (session: string | undefined, { all = false }: { all?: boolean }) => {
      if ((session === undefined) !== all) {
        throw usageError("Name one session, or say --all.", "See which there are with: agent-intercom ui sessions");
      }
      const context = new Context(invocation());
      const admin = context.admin();
      const ended = await signOut(admin, session === undefined ? await idsOf(admin) : [session]);
      context.out.result({ ended }, () =>
        ended.length === 0 ? "No such browser is signed in." : `Signed out: ${count(ended.length, "browser")}.`,
      );
    });
};

async function idsOf(admin: AdminClient): Promise<string[]> {
  return (await admin.listUiSessions()).map(({ id }) => id);
}

async function signOut(admin: AdminClient, ids: readonly string[]): Promise<string[]> {
  const ended: string[] = [];
  for (const sessionId of ids) if ((await admin.endUiSession({ sessionId })).ended) ended.push(sessionId);
  return ended;
}

function linkText({ url, expiresAt }: SignInLink, opening: Opening | undefined, out: Printer): string[] {
  const left = duration(Date.parse(expiresAt) - out.now() + 999);
  const lines = [`Good for one sign-in within ${left}:`, `  ${url}`];
  if (opening?.opened) return [...lines, "Your browser opens it."];
  if (!opening) return lines;
  const { port } = new URL(url);
  const forward = opening.reason.includes("SSH")
    ? [`From your own machine: ssh -L ${port}:127.0.0.1:${port} HOST, then open the link there.`]
    : [];
  return [...lines, `Not opened: ${opening.reason}.`, ...forward];
}

function sessionTable(sessions: readonly UiSession[], out: Printer): string {
  return table<UiSession>(
    [
      { title: "id", cell: ({ id }) => id },
      { title: "browser", cell: ({ userAgent }) => escapeForTerminal(userAgent), shrinkTo: 10 },
      { title: "signed in", cell: ({ createdAt }) => relative(createdAt, out.now()) },
      { title: "used", cell: ({ lastSeenAt }) => relative(lastSeenAt, out.now()) },
      { title: "ends", cell: ({ expiresAt }) => relative(expiresAt, out.now()), dropBelow: 100 },
    ],
    sessions,
    out.width,
  );
}
