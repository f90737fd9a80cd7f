/** The page of a browser tab while nobody is signed in. */
export const signIn = {
  "signIn.none.title": "Sign this browser in",
  "signIn.none.text": "Agent Intercom shows what your agents do, and what they ask you, to you alone.",
  "signIn.used.title": "This link has been used",
  "signIn.used.text":
    "A link signs one browser in, once. If it was not you who used it, agent-intercom ui sessions shows who is signed in.",
  "signIn.expired.title": "This link is too old",
  "signIn.expired.text": "A link is good for one minute.",
  "signIn.unknown.title": "This link is not known here",
  "signIn.unknown.text": "It may be of another daemon, or was not copied whole.",
  "signIn.busy.title": "Too many links were no good",
  "signIn.busy.text": "Wait a minute, then make another one.",
  "signIn.ended.title": "You have been signed out",
  "signIn.ended.text": "This browser's session is over: it was ended elsewhere, or not used for a week.",
  "signIn.left.title": "You are signed out",
  "signIn.left.text": "This browser shows nothing of your agents any more.",
  "signIn.unreachable.title": "The daemon does not answer",
  "signIn.unreachable.text": "It has stopped, or is starting anew. What it knows is safe.",
  "signIn.run": "On the machine it runs on, type in a terminal:",
  "signIn.start": "If it does not come back by itself, start it:",
  "signIn.note": "That opens this page with a link that signs you in: once, within a minute.",
} as const;
