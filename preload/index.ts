import { contextBridge, type IpcRendererEvent, ipcRenderer } from "electron";
import { BRIDGE, IPC_CHANNELS, IPC_PUSHES, ipcName } from "../protocol/desktop/names.ts";

// The one thing a page gets of Electron. Names are checked here and again in the main process; events are not passed on,
// because with them a page could answer in the name of others. No getters: https://github.com/electron/electron/issues/25516

function knownOf<T extends string>(names: readonly T[], name: string): T {
  const known = names.find((each) => each === name);
  if (known === undefined) throw new Error(`unknown name: ${String(name).slice(0, 64)}`);
  return known;
}

contextBridge.exposeInMainWorld(BRIDGE, {
  invoke: (channel: string, request: unknown): Promise<unknown> =>
    ipcRenderer.invoke(ipcName.request(knownOf(IPC_CHANNELS, channel)), request),
  on: (push: string, listener: (value: unknown) => void): (() => void) => {
    const name = ipcName.push(knownOf(IPC_PUSHES, push));
    const forward = (_event: IpcRendererEvent, value: unknown): void => listener(value);
    ipcRenderer.on(name, forward);
    return () => {
      ipcRenderer.off(name, forward);
    };
  },
});
