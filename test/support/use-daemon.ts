import { afterAll, beforeAll } from "vitest";
import type { DaemonOptions } from "../../daemon/index.ts";
import { TestDaemon } from "./daemon.ts";

/** Starts a daemon before the tests of a file and removes it after them. Give each test a scope of its own. */
export function useDaemon(options: DaemonOptions = {}): () => TestDaemon {
  let daemon: TestDaemon | undefined;
  beforeAll(async () => {
    daemon = await TestDaemon.start(options);
  });
  afterAll(async () => {
    await daemon?.close();
  });
  return () => {
    if (!daemon) throw new Error("The daemon is not running yet");
    return daemon;
  };
}
