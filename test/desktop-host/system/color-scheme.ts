// The colour scheme every page of the app is shown in. Kept apart from nativeTheme, which decides it, and from the pages,
// which follow it.

export type ColorScheme = "light" | "dark";

const followers = new Set<(scheme: ColorScheme) => void>();
let current: ColorScheme = "light";

export function colorScheme(): ColorScheme {
  return current;
}

/** Calls `follow` on each change. @returns ends it */
export function followColorScheme(follow: (scheme: ColorScheme) => void): () => void {
  followers.add(follow);
  return () => followers.delete(follow);
}

export function changeColorScheme(scheme: ColorScheme): void {
  current = scheme;
  for (const follow of followers) follow(scheme);
}
