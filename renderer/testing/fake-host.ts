import type { IpcRequest, IpcResponse, UiOperation } from "../../protocol/desktop/index.ts";
import { IntercomError } from "../../protocol/errors.ts";
import type { DesktopChannel, Host, UiSession } from "../host.ts";
import { messageCalls } from "./calls/messages.ts";
import { questionCalls } from "./calls/questions.ts";
import { scopeCalls } from "./calls/scope.ts";
import { taskCalls } from "./calls/tasks.ts";
import { desktopAnswers } from "./fake-desktop.ts";
import type { World } from "./world.ts";

const calls = { ...questionCalls, ...messageCalls, ...taskCalls, ...scopeCalls };

/** A host whose daemon is a {@link World} in the page itself. */
export function fakeHost(world: World, kind: Host["kind"]): Host {
  async function turn(name: string, input: unknown): Promise<void> {
    world.calls.push({ name, input });
    await new Promise((resolve) => setTimeout(resolve, world.latencyMs));
    if (world.broken.has(name) || world.broken.has("*")) {
      throw new IntercomError("INTERNAL", "The daemon did not answer.");
    }
  }

  return {
    kind,
    async attach(listener) {
      await turn("attach", {});
      world.attach(listener);
      return { live: world.live, desktop: world.desktop };
    },
    async call(operation, input, scopeId) {
      await turn(operation, input);
      const perform = calls[operation as UiOperation] as
        | ((world: World, input: unknown, scopeId: string) => unknown)
        | undefined;
      if (!perform) throw new IntercomError("NOT_FOUND", `The fake world cannot do ${operation}.`);
      // A copy, as if it had come over a wire.
      return structuredClone(perform(world, input, scopeId ?? "")) as never;
    },
    desktop:
      kind === "browser"
        ? undefined
        : {
            async ask<C extends DesktopChannel>(channel: C, request: IpcRequest<C>): Promise<IpcResponse<C>> {
              await turn(channel, request);
              return desktopAnswers[channel](world, request) as IpcResponse<C>;
            },
          },
    browser: kind === "desktop" ? undefined : browserOf(turn),
  };
}

function browserOf(turn: (name: string, input: unknown) => Promise<void>): NonNullable<Host["browser"]> {
  let sessions: readonly UiSession[] = [
    {
      id: "uis_this",
      createdAt: new Date(Date.now() - 3_600_000).toISOString(),
      lastSeenAt: new Date().toISOString(),
      userAgent: navigator.userAgent,
      current: true,
    },
    {
      id: "uis_other",
      createdAt: new Date(Date.now() - 90_000_000).toISOString(),
      lastSeenAt: new Date(Date.now() - 7_200_000).toISOString(),
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      current: false,
    },
  ];
  return {
    async listSessions() {
      await turn("listSessions", {});
      return sessions;
    },
    async endSession(id) {
      await turn("endSession", { id });
      sessions = sessions.filter((session) => session.id !== id);
    },
    signOut: () => turn("signOut", {}),
    async backup() {
      await turn("backup", {});
      return new Blob(["backup"]);
    },
  };
}
