const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  // Those that also call themselves something else come first.
  ["Edge", /\bEdg(?:e|A|iOS)?\/(\d{1,4})/],
  ["Opera", /\bOPR\/(\d{1,4})/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d{1,4})/],
  ["Chrome", /(?:Chrome|Chromium|CriOS)\/(\d{1,4})/],
  ["Safari", /\bVersion\/(\d{1,4})[\d.]* (?:Mobile\/\w+ )?Safari\//],
];
const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["Android", /\bAndroid\b/],
  ["iOS", /\b(?:iPhone|iPad|iPod)\b/],
  ["Windows", /\bWindows NT\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];
const LONGEST_READ = 512;
const LONGEST_NAME = 40;

/**
 * What a browser calls itself, in a few words of ours such as `Firefox 128 on Linux`. Of other programs the first word of
 * their own, in plain characters.
 */
export function summarizeUserAgent(header: string | undefined): string {
  const text = (header ?? "").slice(0, LONGEST_READ);
  const system = SYSTEMS.find(([, pattern]) => pattern.test(text))?.[0];
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(text)?.[1];
    if (version !== undefined) return `${name} ${version}${system === undefined ? "" : ` on ${system}`}`;
  }
  if (system !== undefined) return `Unknown browser on ${system}`;
  return /^[\w.+-]+/.exec(text)?.[0].slice(0, LONGEST_NAME) ?? "Unknown browser";
}
