/** Checks that fail because what they look at has not been built yet. Empty when all of it is. */
export const notYet: Readonly<Record<string, readonly string[]>> = {
  "local-0.1": [],
  "agent-intercom-1": [],
};
