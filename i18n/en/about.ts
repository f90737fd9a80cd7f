/** Versions, licences and links. */
export const about = {
  "about.text":
    "The local layer through which coding agents find each other, exchange messages, share tasks, and ask you.",
  "about.versions": "Versions",
  "about.app": "App",
  "about.daemon": "Daemon",
  "about.protocol": "Protocol",
  "about.unknown": "not connected",
  "about.link.documentation": "Documentation",
  "about.link.changelog": "What is new",
  "about.link.issues": "Report a problem",
  "about.link.license": "Licence (Apache-2.0)",
  "about.private":
    "Nothing leaves this machine: no telemetry, no account. Only looking for updates reaches out, and that can be switched off.",
  "about.libraries": "What these pages are made of",
  "about.libraries.text": "Thank you to everyone who writes these.",
} as const;
