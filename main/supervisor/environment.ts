/**
 * What the daemon must not inherit: our credentials, which have no business there, and what would make another program of
 * it: options for Node and Electron, and libraries to load before all others.
 */
const NOT_INHERITED =
  /^(?:(?:AGENT_INTERCOM|OCTOBER_BUS)_(?:ADMIN|SCOPE|AGENT)_TOKEN|AGENT_INTERCOM_(?:TOKEN|OUTPUT_CREDENTIAL)|NODE_.*|ELECTRON_.*|LD_PRELOAD|LD_AUDIT|DYLD_.*)$/i;

/** The environment of a child of ours. */
export function childEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(kept.filter(([name]) => !NOT_INHERITED.test(name)));
}
