import { AdminClient, type Timers } from "../client/index.ts";
import { LiveView } from "../client/live/index.ts";
import { systemTimers } from "../client/timers.ts";
import { productVersion } from "../daemon/runtime/index.ts";
import { desktopSettings } from "../protocol/desktop/index.ts";
import type { Sleeper } from "./lifecycle/power.ts";
import type { AppOptions } from "./options.ts";
import { Retention } from "./retention/retention.ts";
import { DesktopModel } from "./state/desktop-model.ts";
import { Updates } from "./state/updates.ts";
import type { KnownDaemon } from "./supervisor/ports.ts";
import { Supervisor } from "./supervisor/supervisor.ts";
import { supervisorWorld } from "./supervisor/world.ts";

/** What the desktop knows and looks after, without anything that can be seen: the daemon, the live picture, its own state. */
export class Core implements Sleeper {
  readonly timers: Timers = systemTimers;
  readonly updates: Updates;
  readonly model: DesktopModel;
  readonly live: LiveView;
  readonly supervisor: Supervisor;
  readonly #retention: Retention;
  #admin: AdminClient | undefined;

  constructor({ electron, places, logs, settingsFile }: AppOptions) {
    const { directories } = places;
    const { logger } = logs;
    const version = productVersion(places.appDir);
    this.updates = new Updates(logger);
    this.live = new LiveView({
      onChanges: (changes) => {
        this.updates.publish({ changes });
        const lost = changes.some((change) => change.kind === "link" && change.link.state === "lost");
        if (lost) this.supervisor.check();
      },
    });
    this.supervisor = new Supervisor(
      supervisorWorld({
        electron,
        directories,
        entry: places.daemonEntry,
        env: process.env,
        pid: process.pid,
        logger,
        logs,
        onView: (supervisor) => this.model.update({ supervisor }),
        onDaemon: (daemon) => this.#use(daemon),
      }),
      version,
    );
    this.model = new DesktopModel(
      {
        platform: platformOf(process.platform),
        version,
        locale: "en",
        supervisor: this.supervisor.view,
        settings: desktopSettings.parse({}),
        tray: "absent",
        dataDir: directories.dataDir,
        logDir: directories.logDir,
        notices: [],
      },
      this.timers,
      (desktop) => this.updates.publish({ changes: [], desktop }),
    );
    this.#retention = new Retention({
      timers: this.timers,
      logger,
      days: () => settingsFile.current.retentionDays,
      admin: () => this.#admin,
    });
  }

  /** The daemon there is to talk to, with the desktop's own credential. */
  get admin(): AdminClient | undefined {
    return this.#admin;
  }

  suspend(): void {
    this.supervisor.suspend();
  }

  resume(): void {
    this.supervisor.resume();
    this.live.refresh();
  }

  /** Ends the daemon, if it is ours, and everything that talks to it before that. */
  async close(): Promise<void> {
    this.#retention.close();
    this.live.close();
    await this.supervisor.stop();
  }

  #use(daemon: KnownDaemon | undefined): void {
    this.#admin = daemon && new AdminClient({ address: daemon.address, adminToken: daemon.adminToken });
    this.live.use(this.#admin);
  }
}

/** The three systems there are rules for; others are most like Linux. */
export function platformOf(platform: NodeJS.Platform): "darwin" | "linux" | "win32" {
  return platform === "darwin" || platform === "win32" ? platform : "linux";
}
