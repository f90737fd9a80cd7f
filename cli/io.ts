/** What a command may touch of the process it runs in. Tests hand in their own. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean | undefined };
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
}

export interface Stream {
  /** `false` asks to wait for `drain` before more. */
  write(text: string | Uint8Array): unknown;
  once?(event: "drain" | "close", listener: () => void): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export function processIo(): Io {
  let isEnding = false;
  for (const stream of [process.stdout, process.stderr]) {
    // `| head` closes the pipe early: that is the reader's right, not an error. Whoever has something to clear up does so.
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" || isEnding) return;
      isEnding = process.emit("SIGTERM");
      if (!isEnding) process.exit(0);
    });
  }
  const { stdout, stderr, env } = process;
  return {
    // Opened only when read: merely touching it can keep a process alive.
    get stdin() {
      return process.stdin as Io["stdin"];
    },
    stdout,
    stderr,
    env,
    now: Date.now,
  };
}
