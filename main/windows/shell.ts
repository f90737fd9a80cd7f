import { join } from "node:path";
import process from "node:process";
import { type Translator, translator } from "../../i18n/index.ts";
import { HumanActions } from "../human/human-actions.ts";
import { type Delay, delayMs } from "../human/later.ts";
import { NoticeLog } from "../human/notice-log.ts";
import { waitingQuestions } from "../human/waiting.ts";
import { Notifications } from "../notify/controller.ts";
import { Explanations } from "../notify/explanations.ts";
import { NativeNotifier } from "../notify/native.ts";
import type { AppContext, CreateShell, Shell, ShellOptions } from "../shell.ts";
import { Badge } from "../tray/badge.ts";
import type { TrayAction } from "../tray/menu.ts";
import { hasStatusHost, runProgram, watchStatusHost } from "../tray/status-host.ts";
import { DesktopTray } from "../tray/tray.ts";
import type { TrayModel } from "../tray/tray-model.ts";
import { AnswerWindow } from "./answer-window.ts";
import { appMenu } from "./app-menu.ts";
import { BoundsFile } from "./bounds-file.ts";
import { showCrashWindow } from "./crash-window.ts";
import { MainWindow } from "./main-window.ts";
import { WindowViews } from "./views.ts";

/** Everything the human sees of the app, put together. */
export const createShell: CreateShell = async (context, options) => new DesktopShell(context, options);

class DesktopShell implements Shell {
  readonly #context: AppContext;
  readonly #translators = new Map<string, Translator>();
  readonly #log: NoticeLog;
  readonly #actions: HumanActions;
  readonly #main: MainWindow;
  readonly #answer: AnswerWindow;
  readonly #views: WindowViews;
  readonly #tray: DesktopTray;
  readonly #notifications: Notifications;
  readonly #badge: Badge;
  readonly #ends: (() => void)[] = [];
  #menuLocale: string | undefined;
  #count = 0;

  constructor(context: AppContext, { hidden, first }: ShellOptions) {
    this.#context = context;
    const t = (): Translator => this.#translator();
    const notifier = new NativeNotifier(context.electron.Notification, context.desktop().platform, context.timers);
    const explanations = new Explanations(notifier, (id) => this.openAnswer(id));
    this.#log = new NoticeLog(context);
    this.#actions = new HumanActions({ context, translator: t, explain: (what) => explanations.show(what) });
    const bounds = new BoundsFile(join(context.electron.app.getPath("userData"), "window.json"), context.logger);
    this.#main = new MainWindow({
      context,
      translator: t,
      bounds,
      onChange: () => this.#showBadge(),
      isBusyElsewhere: () => this.#answer.window?.isFocused() === true,
    });
    this.#answer = new AnswerWindow({
      context,
      title: () => t()("windows.answer.title"),
      iconBounds: () => this.#tray.bounds,
    });
    this.#views = new WindowViews({ main: this.#main, answer: this.#answer });
    this.#badge = new Badge(context);
    this.#tray = new DesktopTray({
      context,
      translator: t,
      perform: (action) => this.#perform(action),
      onClick: () => this.#clicked(),
      onShown: (model) => this.#shown(model),
    });
    this.#notifications = new Notifications({
      context,
      notifier,
      translator: t,
      actions: this.#actions,
      log: this.#log,
      windows: () => this.#views.current(),
      openAnswer: (id) => this.openAnswer(id),
      openInbox: () => this.openMain({ view: "inbox" }),
    });
    this.#ends.push(
      this.#watchBar(),
      context.subscribe(() => this.#setMenu()),
    );
    this.#setMenu();
    if (first) this.openAnswer(first.escalationId);
    else if (!hidden) this.openMain();
  }

  openMain(destination?: Parameters<Shell["openMain"]>[0]): void {
    this.#main.open(destination);
  }

  openAnswer(escalationId?: string): void {
    this.#answer.open(escalationId);
  }

  hide(contents: Parameters<Shell["hide"]>[0]): void {
    for (const window of [this.#main, this.#answer]) if (window.has(contents)) window.hide();
  }

  showing(contents: Parameters<Shell["showing"]>[0], escalationId: string | null): void {
    this.#views.showing(contents, escalationId);
    const question = escalationId === null ? undefined : this.#context.live().questions[escalationId];
    if (question && this.#views.isSeen(question.id)) this.#log.record(question, "window", "seen");
  }

  crashed(report: Parameters<Shell["crashed"]>[0]): ReturnType<Shell["crashed"]> {
    return showCrashWindow(this.#context, report, this.#translator());
  }

  close(): void {
    this.#main.remember();
    for (const end of this.#ends) end();
    this.#notifications.close();
    this.#tray.close();
  }

  #translator(): Translator {
    const { locale } = this.#context.desktop();
    const known = this.#translators.get(locale) ?? translator(locale);
    this.#translators.set(locale, known);
    return known;
  }

  #perform(action: TrayAction): void {
    const context = this.#context;
    switch (action.do) {
      case "open":
        this.openMain(action.destination);
        break;
      case "openAnswer":
        this.openAnswer(action.escalationId);
        break;
      case "answer":
        void this.#actions.answer(action, action.answer, "tray");
        break;
      case "defer":
        void this.#actions.defer(action, action.delay);
        break;
      case "pause":
        this.#pause(action.delay);
        break;
      case "restartDaemon":
        this.#tried("the daemon was not restarted", context.restartDaemon());
        break;
      case "openLogs":
        this.#tried("the logs were not opened", context.openLogs());
        break;
      case "quit":
        void context.quit();
    }
  }

  #pause(delay: Delay | null): void {
    const now = this.#context.timers.now();
    const until = delay === null ? null : new Date(now + delayMs(delay, now)).toISOString();
    this.#context.pauseNotifications(until);
  }

  #tried(failure: string, attempt: Promise<void>): void {
    attempt.catch((error: unknown) => this.#context.logger.error(failure, { error }));
  }

  /** Whoever clicks the icon wants what it points at. */
  #clicked(): void {
    if (this.#count > 0) this.#answer.toggle();
    else this.openMain();
  }

  #shown({ count }: TrayModel): void {
    this.#count = count;
    this.#showBadge();
    const { questions } = this.#context.live();
    for (const question of waitingQuestions(questions, this.#context.timers.now())) {
      this.#log.record(question, "tray", "shown");
    }
  }

  #showBadge(): void {
    this.#badge.show(this.#count, this.#main.window, this.#translator());
  }

  #watchBar(): () => void {
    const context = this.#context;
    if (context.desktop().platform !== "linux") return () => {};
    return watchStatusHost({
      timers: context.timers,
      look: () => hasStatusHost({ env: process.env, spawn: runProgram }),
      onFound: (isThere) => context.setTray(isThere ? "available" : "absent"),
      onMissing: () => context.notice({ id: "no-tray", code: "no-tray", values: {} }),
    });
  }

  #setMenu(): void {
    const { locale, platform } = this.#context.desktop();
    if (locale === this.#menuLocale) return;
    this.#menuLocale = locale;
    const context = this.#context;
    const { Menu } = context.electron;
    const template = appMenu(platform, this.#translator(), {
      open: (destination) => this.openMain(destination),
      openAnswer: () => this.openAnswer(),
      openLogs: () => this.#tried("the logs were not opened", context.openLogs()),
      copyDiagnostics: () => void context.copyDiagnostics(),
      openLink: (link) => this.#tried("a link was not opened", context.openLink(link)),
      quit: () => void context.quit(),
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  }
}
