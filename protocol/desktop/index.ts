/**
 * What the desktop's processes and the windows say to each other. A browser tab speaks the same through another host, so the
 * windows need not know where they run.
 */
export * from "./ipc.ts";
export * from "./live.ts";
export * from "./names.ts";
export * from "./operations.ts";
export * from "./questions.ts";
export * from "./settings.ts";
export * from "./state.ts";
