import { redactFields, redactText } from "../../daemon/runtime/redact.ts";
import type { DesktopState, LiveState } from "../../protocol/desktop/index.ts";

const MOST_LINES = 100;

export interface DiagnosticsInput {
  readonly now: number;
  /** Versions of everything that takes part, by name. */
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly desktop: DesktopState;
  readonly live: LiveState;
  readonly logs: { readonly desktop: readonly string[]; readonly daemon: readonly string[] };
  readonly homedir: string;
}

/**
 * What helps to find a fault, as text to paste: versions, states, settings and the last lines of the logs. Neither secrets nor
 * what anybody wrote; agents and scopes are counted and not named; the home folder is `~`.
 */
export function diagnosticsText({ now, versions, desktop, live, logs, homedir }: DiagnosticsInput): string {
  const { supervisor, settings, platform, tray, dataDir, logDir, notices, pausedUntil } = desktop;
  const { log: _, ...problem } = supervisor.problem ?? {};
  const facts = {
    at: new Date(now).toISOString(),
    platform,
    versions,
    supervisor: { ...supervisor, ...(supervisor.problem ? { problem } : {}) },
    link: live.link,
    daemon: live.daemon,
    counts: {
      scopes: Object.keys(live.scopes).length,
      agents: Object.keys(live.agents).length,
      questions: Object.keys(live.questions).length,
    },
    tray,
    places: { dataDir, logDir },
    notices: notices.map(({ code }) => code),
    pausedUntil,
    settings,
  };
  const parts = [
    "Agent Intercom: diagnostics",
    JSON.stringify(redactFields(facts), null, 2),
    section("desktop.log", logs.desktop),
    section("daemon.log", logs.daemon),
  ];
  return withoutHome(parts.join("\n\n"), homedir);
}

function section(name: string, lines: readonly string[]): string {
  return [`Last lines of ${name}:`, ...lines.slice(-MOST_LINES).map(redactText)].join("\n");
}

/** A home folder holds the user's name; in JSON its backslashes are doubled. */
export function withoutHome(text: string, homedir: string): string {
  if (homedir.length < 2) return text;
  return text.replaceAll(homedir, "~").replaceAll(homedir.replaceAll("\\", "\\\\"), "~");
}
