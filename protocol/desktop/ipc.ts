import { z } from "zod";
import type { ErrorValue } from "../errors.ts";
import { oneOf } from "../fields.ts";
import { anyInstant, identifier } from "../ids.ts";
import { text } from "../text.ts";
import type { LiveChange, LiveState } from "./live.ts";
import { type IpcChannel, LINKS, VIEWS } from "./names.ts";
import { UI_OPERATIONS } from "./operations.ts";
import { type DesktopSettings, desktopSettingsPatch } from "./settings.ts";
import type { DesktopState } from "./state.ts";

export const view = oneOf(VIEWS);
const LONGEST_COPY_BYTES = 65_536;

/** Where a window is to go. `id` is that of a question, agent, message or task of the view. */
export const destination = z.strictObject({ view, scopeId: identifier.optional(), id: identifier.optional() });
export type Destination = z.output<typeof destination>;

/** What a window begins with; frames that follow are numbered from `sequence` on. */
export interface Snapshot {
  readonly sequence: number;
  readonly live: LiveState;
  readonly desktop: DesktopState;
  /** Where the window was asked to go before it listened. */
  readonly destination?: Destination;
}

/** Changes that happened together. A gap in `sequence` means: attach again. */
export interface Frame {
  readonly sequence: number;
  readonly changes: readonly LiveChange[];
  readonly desktop?: DesktopState;
}

/** A client program as the Connect view shows it. */
export interface ConnectableClient {
  readonly id: string;
  readonly title: string;
  readonly installed: boolean;
  /** `connected`: its configuration has our entry. `differs`: it has one of that name that is not what we would write. */
  readonly state: "absent" | "connected" | "differs" | "unreadable";
  /** File the entry belongs in. */
  readonly file?: string;
  /** What to paste where we do not write ourselves. */
  readonly snippet: { readonly language: string; readonly text: string };
  /** A real round trip with this version of the program has succeeded at that instant. */
  readonly verifiedAt?: string;
  /** What to do by hand, or to know. */
  readonly notes: readonly string[];
  readonly canUndo: boolean;
}

/** What adding or removing an entry did, in words that can be shown. */
export interface ConnectOutcome {
  readonly client: ConnectableClient;
  readonly summary: string;
  /** What the human has still to do, e.g. restart the program. */
  readonly next: readonly string[];
}

/** Ties a request's schema to the type of the answer: data of ours, which needs no parsing. */
interface Channel<Request extends z.ZodType, Response> {
  readonly request: Request;
  /** There for the type checker alone. */
  readonly response?: Response;
}

/** Curried, because the type of the answer is given and that of the request is found out. */
function answering<Response>() {
  return <Request extends z.ZodType>(request: Request): Channel<Request, Response> => ({ request });
}

const nothing = z.strictObject({});
const client = z.strictObject({ client: identifier });
const done = answering<null>();

/**
 * Everything a window may ask of the main process. Requests are parsed where they arrive; answers are values, never
 * exceptions: see {@link IpcAnswer}.
 */
export const ipcChannels = {
  /** Begins the flow of frames to this window. */
  attach: answering<Snapshot>()(nothing),
  /** Performs an operation of the table as the human; the table parses its input. */
  call: answering<unknown>()(
    z.strictObject({
      operation: oneOf(UI_OPERATIONS),
      scopeId: identifier.optional(),
      input: z.record(z.string(), z.unknown()),
    }),
  ),
  changeSettings: answering<DesktopSettings>()(desktopSettingsPatch),
  /** Pauses notifications until then; null ends the pause. */
  pauseNotifications: done(z.strictObject({ until: anyInstant.nullable() })),
  dismissNotice: done(z.strictObject({ id: identifier })),
  /** Starts the daemon again after it has failed, or ends one that does not answer and starts another. */
  restartDaemon: done(nothing),
  /** Opens the main window there. */
  openMain: done(destination),
  /** Opens the answer window, with this question first. */
  openAnswer: done(z.strictObject({ escalationId: identifier.optional() })),
  /** Hides the window that asks. */
  hideWindow: done(nothing),
  /** Which question the asking window shows at the moment, for the notification policy; null for none. */
  showing: done(z.strictObject({ escalationId: identifier.nullable() })),
  listClients: answering<readonly ConnectableClient[]>()(nothing),
  connectClient: answering<ConnectOutcome>()(client),
  undoClient: answering<ConnectOutcome>()(client),
  /** Asks where to, and writes a backup of the daemon's data there; null when the human thought better of it. */
  backup: answering<{ readonly file: string; readonly bytes: number } | null>()(nothing),
  openLogs: done(nothing),
  openDataDirectory: done(nothing),
  /** Copies versions, states and the last lines of the logs, without secrets and contents. */
  copyDiagnostics: answering<{ readonly characters: number }>()(nothing),
  copyText: done(z.strictObject({ text: text(LONGEST_COPY_BYTES) })),
  /** Opens one of the product's own pages in the browser. */
  openLink: done(z.strictObject({ link: oneOf(LINKS) })),
  quit: done(nothing),
} satisfies Record<IpcChannel, Channel<z.ZodType, unknown>>;

export type IpcRequest<C extends IpcChannel> = z.input<(typeof ipcChannels)[C]["request"]>;
export type IpcResponse<C extends IpcChannel> = Exclude<(typeof ipcChannels)[C]["response"], undefined>;

/** How an answer crosses: errors are values. */
export type IpcAnswer<T> =
  | { readonly ok: true; readonly result: T }
  | { readonly ok: false; readonly error: ErrorValue };

/** What the main process sends of its own accord. */
export interface IpcPushes {
  readonly frame: Frame;
  readonly destination: Destination;
}

/** The global {@link BRIDGE} of a page in the desktop. Without it the page runs in a browser tab. */
export interface Bridge {
  invoke<C extends IpcChannel>(channel: C, request: IpcRequest<C>): Promise<IpcAnswer<IpcResponse<C>>>;
  /** Calls `listener` with each push. Returns what ends that. */
  on<P extends keyof IpcPushes>(push: P, listener: (value: IpcPushes[P]) => void): () => void;
}
