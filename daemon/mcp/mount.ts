import type { Mount } from "../http/index.ts";
import type { McpServices } from "./services.ts";
import type { McpServing } from "./serving.ts";

/** The MCP door of a listener. */
export interface McpMount {
  readonly mount: Mount;
  /** Ends every stream, so that the listener can close. */
  close(): Promise<void>;
}

/** Loads what answers MCP when it is first needed: the SDK takes longer to load than the rest of the daemon to start. */
export function createMcpMount(services: McpServices): McpMount {
  let serving: Promise<McpServing> | undefined;
  return {
    mount: async (mounted) => {
      serving ??= import("./serving.ts")
        .then(({ createServing }) => createServing(services))
        .catch((error: unknown) => {
          // The next client may have more luck.
          serving = undefined;
          throw error;
        });
      await (await serving).answer(mounted);
    },
    close: async () => (await serving?.catch(() => undefined))?.close(),
  };
}
