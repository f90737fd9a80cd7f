/** Runs a callback of the user; what it throws must not stop the session. */
export function quietly(run: () => void): void {
  try {
    run();
  } catch {}
}
