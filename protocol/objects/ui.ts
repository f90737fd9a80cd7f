import { z } from "zod";
import { flag } from "../fields.ts";
import { identifier, instant } from "../ids.ts";

/** The user interface in a browser: how one signs in, and who has. */

export const signInLink = z
  .object({
    url: z.string().meta({
      description:
        "To be opened in a browser on this machine. The code is in the fragment, which browsers send to nobody.",
    }),
    expiresAt: instant,
  })
  .meta({ id: "SignInLink", description: "Signs one browser in, once." });
export type SignInLink = z.output<typeof signInLink>;

export const uiSession = z
  .object({
    id: identifier,
    userAgent: z.string().meta({ description: "What the browser called itself when it signed in, in a few words." }),
    createdAt: instant,
    lastSeenAt: instant.meta({ description: "To the minute." }),
    expiresAt: instant.meta({ description: "When it ends unless it is used before; each use puts that off." }),
    current: flag.meta({ description: "The session this very call came with." }),
  })
  .meta({ id: "UiSession", description: "A browser that is signed in." });
export type UiSession = z.output<typeof uiSession>;

/** What the page of a sign-in link sends to `/ui/session`. */
export const signIn = z.strictObject({ code: z.string({ error: "expected the code of a sign-in link" }).max(256) });

/** What it gets, beside a cookie it cannot read. */
export const signedIn = z.object({
  /** Goes into the `Intercom-Session` header of every call: the cookie alone is worth nothing. */
  proof: z.string(),
  session: uiSession,
});
export type SignedIn = z.output<typeof signedIn>;
