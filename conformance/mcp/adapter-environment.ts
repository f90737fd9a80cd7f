/** Variables with these prefixes say who a program is; an adapter is to be who the runner says. */
const IDENTITY_PREFIXES: readonly string[] = ["OCTOBER_BUS_", "AGENT_INTERCOM_"];

/**
 * The environment of an adapter: the runner's own without owner credentials, under whatever name they stand in it, and
 * with `identity`.
 */
export function adapterEnvironment(
  env: NodeJS.ProcessEnv,
  secrets: readonly string[],
  identity: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name, value]) =>
      !IDENTITY_PREFIXES.some((prefix) => name.startsWith(prefix)) &&
      !secrets.some((secret) => value?.includes(secret)),
  );
  return { ...Object.fromEntries(kept), ...identity };
}
