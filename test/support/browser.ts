import { SESSION_HEADER, type SignedIn } from "../../protocol/index.ts";
import type { TestDaemon } from "./daemon.ts";
import { type Answer, exchange } from "./http.ts";

/** Headers, by name in any case. */
export type Headers = Readonly<Record<string, string>>;

/** What browsers say of a `fetch` from a page of the daemon's own origin. */
export function ownPage({ address }: Pick<TestDaemon, "address">): Headers {
  return { Origin: address, "Sec-Fetch-Site": "same-origin" };
}

/** A browser that has signed in, as far as the daemon can tell. */
export interface SignedInBrowser extends SignedIn {
  /** Name and value, as they stand in a `Cookie` header. */
  readonly cookie: string;
  /** The attributes that came with it. */
  readonly attributes: readonly string[];
  /** What each of its calls carries. */
  readonly headers: Headers;
}

/** The code of a fresh sign-in link. */
export async function signInCode(intercom: TestDaemon): Promise<string> {
  const { url } = await intercom.admin.call("createSignInLink", {});
  return new URLSearchParams(new URL(url).hash.slice(1)).get("sign-in") ?? "";
}

/** What the page of a sign-in link sends, with whatever headers. */
export function presentCode(
  intercom: TestDaemon,
  code: unknown,
  headers: Headers = ownPage(intercom),
): Promise<Answer> {
  const request = { method: "POST", path: "/ui/session", body: JSON.stringify({ code }) };
  return exchange(intercom.address, request, { headers });
}

/** Signs a browser in, as its page does. */
export async function signIn(intercom: TestDaemon): Promise<SignedInBrowser> {
  const answer = await presentCode(intercom, await signInCode(intercom));
  if (answer.status !== 201) throw new Error(`Not signed in: ${answer.status} ${JSON.stringify(answer.body)}`);
  const { result } = answer.body as { result: SignedIn };
  const [cookie = "", ...attributes] = (answer.headers.getSetCookie()[0] ?? "").split("; ");
  const headers = { ...ownPage(intercom), Cookie: cookie, [SESSION_HEADER]: result.proof };
  return { ...result, cookie, attributes, headers };
}
