import { z } from "zod";
import { identifier } from "../ids.ts";
import { signInLink, uiSession } from "../objects/ui.ts";
import { operation } from "../operation.ts";

const nothing = z.strictObject({});

/** Browsers that use the user interface the daemon serves. */
export const uiOperations = {
  createSignInLink: operation({
    summary: "A link that signs one browser in to the user interface",
    description: "It can be used once, within 60 seconds. An unused one needs no taking back.",
    method: "POST",
    path: "/v1/admin/ui/sign-in-links",
    authority: "admin",
    input: nothing,
    result: signInLink,
    status: 201,
  }),
  listUiSessions: operation({
    summary: "Browsers that are signed in, oldest first",
    description:
      "A session ends after 7 days without use, after 30 days in all, and when data is restored from a backup.",
    method: "GET",
    path: "/v1/admin/ui/sessions",
    authority: "admin",
    input: nothing,
    result: z.array(uiSession),
  }),
  endUiSession: operation({
    summary: "Sign a browser out",
    description: "Its next call is refused, and event streams it follows end.",
    method: "DELETE",
    path: "/v1/admin/ui/sessions/{sessionId}",
    authority: "admin",
    input: z.strictObject({ sessionId: identifier }),
    result: z.object({ ended: z.boolean() }),
    idempotency: "natural",
  }),
};
