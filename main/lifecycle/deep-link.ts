/** Scheme of our deep links. They may come from any web page, so they show something and never decide anything. */
export const DEEP_LINK_SCHEME = "agent-intercom";

/** What a link asks to be shown. */
export interface DeepLink {
  readonly escalationId: string;
}

/** The one form there is: the id of a question as the daemon makes them. */
const ESCALATION = /^agent-intercom:\/\/escalation\/(ask_[0-9a-f]{32})\/?$/;

export function parseDeepLink(url: string): DeepLink | undefined {
  const escalationId = ESCALATION.exec(url)?.[1];
  return escalationId === undefined ? undefined : { escalationId };
}

/** The link among the arguments of a start. More than one is nobody's honest wish, so none of them counts. */
export function deepLinkIn(args: readonly string[]): DeepLink | undefined {
  const links = args.filter((argument) => argument.toLowerCase().startsWith(`${DEEP_LINK_SCHEME}:`));
  return links.length === 1 && links[0] !== undefined ? parseDeepLink(links[0]) : undefined;
}
