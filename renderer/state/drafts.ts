const KEY = "intercom.drafts";

/** What had been typed before the page was loaded again. */
export function readDrafts(storage: Pick<Storage, "getItem">): Readonly<Record<string, string>> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return {};
  }
}

export function writeDrafts(storage: Pick<Storage, "setItem">, drafts: Readonly<Record<string, string>>): void {
  try {
    storage.setItem(KEY, JSON.stringify(drafts));
  } catch {
    // Full or switched off: the drafts stay in memory.
  }
}

/** The drafts with one changed; an empty one is none. */
export function withDraft(
  drafts: Readonly<Record<string, string>>,
  key: string,
  text: string,
): Readonly<Record<string, string>> {
  if (text !== "") return { ...drafts, [key]: text };
  if (!(key in drafts)) return drafts;
  const { [key]: _gone, ...rest } = drafts;
  return rest;
}
