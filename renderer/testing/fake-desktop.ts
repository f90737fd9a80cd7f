import type {
  ConnectableClient,
  DesktopSettings,
  DesktopState,
  IpcRequest,
  IpcResponse,
} from "../../protocol/desktop/index.ts";
import type { DesktopChannel } from "../host.ts";
import type { World } from "./world.ts";

type Answers = { readonly [C in DesktopChannel]: (world: World, request: IpcRequest<C>) => IpcResponse<C> };
/** What {@link desktopAnswers} is to those who know the channel only when they run. */
type AnyAnswers = Readonly<Record<DesktopChannel, (world: World, request: unknown) => unknown>>;

const defaults: DesktopSettings = {
  theme: "system",
  locale: "system",
  startAtLogin: false,
  closeToTray: true,
  notifications: { enabled: true, urgentBreaksPause: true, sound: true, showContent: true },
  shortcut: "CommandOrControl+Shift+I",
  retentionDays: 0,
  updates: { check: true, channel: "latest" },
};

export function sampleDesktop(nowIso: string, change: Partial<DesktopState> = {}): DesktopState {
  return {
    platform: "linux",
    version: "0.1.0",
    locale: "en",
    supervisor: {
      state: "ready",
      since: nowIso,
      owner: "desktop",
      pid: 41_870,
      address: "http://127.0.0.1:4100",
      version: "0.1.0",
      failures: 0,
    },
    settings: defaults,
    tray: "available",
    dataDir: "/home/ada/.local/share/agent-intercom",
    logDir: "/home/ada/.local/state/agent-intercom",
    notices: [],
    ...change,
  };
}

const snippet = { language: "shell", text: "agent-intercom connect claude-code" };
const clients: readonly ConnectableClient[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    installed: true,
    state: "connected",
    file: "/home/ada/.claude.json",
    snippet,
    notes: [],
    canUndo: true,
    verifiedAt: "2026-11-20T10:00:00.000Z",
  },
  {
    id: "codex",
    title: "Codex",
    installed: true,
    state: "absent",
    snippet,
    notes: ["Restart it afterwards."],
    canUndo: false,
  },
  { id: "gemini", title: "Gemini CLI", installed: false, state: "absent", snippet, notes: [], canUndo: false },
];

function outcome(world: World, id: string, state: ConnectableClient["state"], summary: string) {
  const client = clients.find((one) => one.id === id) ?? clients[0];
  if (!client) throw new Error(`There is no client ${id}`);
  world.apply([]);
  return { client: { ...client, state, canUndo: state === "connected" }, summary, next: ["Restart the program."] };
}

function change(world: World, part: Partial<DesktopState>): null {
  if (world.desktop) world.apply([], { ...world.desktop, ...part });
  return null;
}

const answers: Answers = {
  changeSettings(world, patch) {
    const before = world.desktop?.settings ?? defaults;
    const settings = {
      ...before,
      ...patch,
      notifications: { ...before.notifications, ...patch.notifications },
      updates: { ...before.updates, ...patch.updates },
    } as DesktopState["settings"];
    change(world, { settings, locale: settings.locale === "system" ? "en" : settings.locale });
    return settings;
  },
  pauseNotifications(world, { until }) {
    if (!world.desktop) return null;
    const { pausedUntil: _before, ...rest } = world.desktop;
    world.apply([], until === null ? rest : { ...rest, pausedUntil: String(until) });
    return null;
  },
  dismissNotice: (world, { id }) =>
    change(world, { notices: world.desktop?.notices.filter((notice) => notice.id !== id) ?? [] }),
  restartDaemon: (world) =>
    change(world, { supervisor: { state: "starting", since: new Date().toISOString(), failures: 0 } }),
  openMain: () => null,
  openAnswer: () => null,
  hideWindow: () => null,
  showing: () => null,
  listClients: () => clients,
  connectClient: (world, { client }) =>
    outcome(world, client, "connected", "Added agent-intercom to its configuration."),
  undoClient: (world, { client }) => outcome(world, client, "absent", "Removed agent-intercom from its configuration."),
  backup: () => ({ file: "/home/ada/intercom-backup.sqlite", bytes: 4_812_000 }),
  openLogs: () => null,
  openDataDirectory: () => null,
  copyDiagnostics: () => ({ characters: 4120 }),
  copyText: () => null,
  openLink: () => null,
  quit: () => null,
};

export const desktopAnswers = answers as AnyAnswers;
