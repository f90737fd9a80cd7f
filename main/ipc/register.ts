import type { IpcMainInvokeEvent, WebContents } from "electron";
import type { z } from "zod";
import { toIntercomError } from "../../client/failure.ts";
import type { Logger } from "../../daemon/runtime/index.ts";
import { type IpcAnswer, type IpcResponse, ipcChannels } from "../../protocol/desktop/index.ts";
import { IPC_CHANNELS, type IpcChannel, ipcName } from "../../protocol/desktop/names.ts";
import { IntercomError, isIntercomError } from "../../protocol/errors.ts";
import { parseInput } from "../../protocol/parse.ts";
import type { Electron } from "../ports/electron.ts";
import type { PageFrames } from "./page-frames.ts";
import type { TrustedPages } from "./trusted-pages.ts";

/** The window that asks. */
export interface Asker {
  readonly contents: WebContents;
  readonly frames: PageFrames;
}

type Parsed<C extends IpcChannel> = z.output<(typeof ipcChannels)[C]["request"]>;

/** What answers each channel. Requests are parsed; errors that are thrown become values. */
export type IpcHandlers = {
  readonly [C in IpcChannel]: (request: Parsed<C>, asker: Asker) => IpcResponse<C> | Promise<IpcResponse<C>>;
};

export interface RegisterOptions {
  readonly ipcMain: Pick<Electron["ipcMain"], "handle">;
  readonly pages: Pick<TrustedPages, "pageOf">;
  readonly handlers: IpcHandlers;
  readonly logger: Logger;
}

/** Opens every channel of the contract, and no other. */
export function registerIpc(options: RegisterOptions): void {
  for (const channel of IPC_CHANNELS) {
    options.ipcMain.handle(ipcName.request(channel), (event, request) => answer(channel, event, request, options));
  }
}

async function answer<C extends IpcChannel>(
  channel: C,
  event: IpcMainInvokeEvent,
  request: unknown,
  { pages, handlers, logger }: RegisterOptions,
): Promise<IpcAnswer<unknown>> {
  try {
    const frames = pages.pageOf(event);
    if (!frames) {
      logger.warn("somebody who is not a page of ours has asked for something", { channel });
      throw new IntercomError("PERMISSION_DENIED", "Only the windows of Agent Intercom may ask for this.");
    }
    const parsed = parseInput(ipcChannels[channel].request, request) as Parsed<C>;
    return { ok: true, result: await handlers[channel](parsed, { contents: event.sender, frames }) };
  } catch (error) {
    // Anything else that is thrown is a defect of ours.
    if (!isIntercomError(error)) logger.error("a request of a window has failed", { channel, error });
    return { ok: false, error: toIntercomError(error).toValue() };
  }
}
