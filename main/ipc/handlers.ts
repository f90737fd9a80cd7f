import type { UiOperation } from "../../protocol/desktop/index.ts";
import type { ConnectableClients } from "../connect/clients.ts";
import type { AppContext, Shell } from "../shell.ts";
import type { IpcHandlers } from "./register.ts";

export interface HandlerParts {
  readonly context: AppContext;
  /** @throws {IntercomError} while there is none yet */
  shell(): Shell;
  readonly clients: Pick<ConnectableClients, "list" | "connect" | "undo">;
  dismissNotice(id: string): void;
  openDataDirectory(): Promise<void>;
  /** Null when the human thought better of it. */
  backup(): Promise<{ readonly file: string; readonly bytes: number } | null>;
}

/** Answers of the contract's channels, each by the part that knows it. */
export function ipcHandlers(parts: HandlerParts): IpcHandlers {
  const { context, clients } = parts;
  return {
    attach: (_, { frames }) => frames.attach(),
    // The table has parsed no input yet; `call` does.
    call: ({ operation, input, scopeId }) => context.call<UiOperation>(operation, input as never, scopeId),
    changeSettings: (patch) => context.changeSettings(patch),
    pauseNotifications: done(({ until }: { until: string | null }) => context.pauseNotifications(until)),
    dismissNotice: done(({ id }: { id: string }) => parts.dismissNotice(id)),
    restartDaemon: done(() => context.restartDaemon()),
    openMain: done((destination: Parameters<Shell["openMain"]>[0]) => parts.shell().openMain(destination)),
    openAnswer: done(({ escalationId }: { escalationId?: string | undefined }) =>
      parts.shell().openAnswer(escalationId),
    ),
    hideWindow: (_, { contents }) => {
      parts.shell().hide(contents);
      return null;
    },
    showing: ({ escalationId }, { contents }) => {
      parts.shell().showing(contents, escalationId);
      return null;
    },
    listClients: () => clients.list(),
    connectClient: ({ client }) => clients.connect(client),
    undoClient: ({ client }) => clients.undo(client),
    backup: () => parts.backup(),
    openLogs: done(() => context.openLogs()),
    openDataDirectory: done(() => parts.openDataDirectory()),
    copyDiagnostics: () => context.copyDiagnostics(),
    copyText: ({ text }) => {
      context.electron.clipboard.writeText(text);
      return null;
    },
    openLink: done(({ link }: { link: Parameters<AppContext["openLink"]>[0] }) => context.openLink(link)),
    // Answered first: the window that asks ends with the app.
    quit: () => {
      setImmediate(() => void context.quit());
      return null;
    },
  };
}

function done<Request>(act: (request: Request) => unknown): (request: Request) => Promise<null> {
  return async (request) => {
    await act(request);
    return null;
  };
}
