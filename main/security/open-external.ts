import type { Link } from "../../protocol/desktop/index.ts";
import { IntercomError } from "../../protocol/errors.ts";

/** Where each link leads, below the home page that the package names. */
const BELOW_HOME: Readonly<Record<Link, string>> = {
  documentation: "#readme",
  changelog: "/blob/main/CHANGELOG.md",
  issues: "/issues",
  license: "/blob/main/LICENSE",
};

/**
 * Address of one of the product's own pages: a window says which, never where it is.
 * @throws {IntercomError} NOT_FOUND when this build names no home page of its own
 */
export function addressOf(link: Link, homepage: string | undefined): string {
  const home = homepage === undefined ? null : URL.parse(homepage);
  if (home?.protocol !== "https:") {
    throw new IntercomError("NOT_FOUND", "This build has no home page in the web.", { reason: "no_homepage" });
  }
  return `${home.origin}${home.pathname.replace(/\/+$/, "")}${BELOW_HOME[link]}`;
}
