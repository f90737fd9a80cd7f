import { z } from "zod";

/** Name of our server in every client: short, and without the underscore that some clients cannot have in it. */
export const SERVER_NAME = "intercom";
/** Variable that an HTTP entry refers to; its value never gets into a file. */
export const TOKEN_VARIABLE = "AGENT_INTERCOM_TOKEN";

/**
 * How sure we are: seen in a run of the real program; written in its documentation or source; or told by others, to be
 * checked.
 */
const certainty = z.enum(["measured", "documented", "unverified"]);

const sentence = z.string().regex(/^[A-Z`][\s\S]*[.:)]$/, "expected a sentence");
/** `{home}/x` and the like, with forward slashes; see environment.ts for the names. */
const place = z.string().regex(/^\{\w+\}(\/[^/\\{}]+)*$/, "expected a place such as {home}/.codex/config.toml");
const places = z.array(place).min(1);
const perSystem = z.strictObject({ linux: places, darwin: places, win32: places });
const entryValue: z.ZodType<EntryValue> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.array(entryValue), z.record(z.string(), entryValue)]),
);
const entry = z.record(z.string(), entryValue);

/** A value in a client's configuration. */
export type EntryValue = string | number | boolean | EntryValue[] | { [key: string]: EntryValue };
/** One server in a client's configuration. */
export type Entry = Readonly<Record<string, EntryValue>>;

/** How a client is told to take a variable of its environment: the syntax in a header, or a key that wants the bare name. */
export const REFERENCES = {
  dollar: `\${${TOKEN_VARIABLE}}`,
  "dollar-env": `\${env:${TOKEN_VARIABLE}}`,
  "braces-env": `{env:${TOKEN_VARIABLE}}`,
  name: TOKEN_VARIABLE,
} as const;

const transport = z.strictObject({
  certainty,
  /**
   * What makes the connection. `{command}`, `{url}` and `{token}` stand for what is known only on the machine, and an item
   * `{args}` of a list for all arguments.
   */
  entry,
  /** What we set for the first time and then leave to the user. */
  defaults: entry.default({}),
});

const clientProfile = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/),
  name: z.string().min(1),
  /** Where its documentation of MCP is. */
  docs: z.url({ protocol: /^https$/ }),
  /** What the facts here come from. */
  sources: z.array(z.string().min(1)).min(1),
  /** Oldest version that can do it, where known. */
  minimumVersion: z.string().optional(),
  format: z.enum(["json", "jsonc", "toml", "yaml"]),
  /** Keys that lead to the table of servers. */
  root: z.array(z.string().min(1)).min(1),
  /** Candidates, best first. The first one that is there is used, else the first whose folder is there, else the first. */
  files: z.strictObject({
    certainty,
    user: perSystem,
    project: z.array(place).min(1).optional(),
  }),
  detect: z.strictObject({
    /** Any of these files or folders shows that the client is here. */
    paths: perSystem,
    programs: z.array(z.strictObject({ name: z.string().min(1), versionArgs: z.array(z.string()).min(1) })),
  }),
  stdio: transport.extend({
    /** Whether what it starts finds the daemon by its environment; `filtered`: variables that lead there are held back. */
    environment: z.enum(["sufficient", "filtered", "unknown"]),
  }),
  http: z.union([
    transport.extend({ reference: z.enum(["dollar", "dollar-env", "braces-env", "name"]) }),
    z.strictObject({ unavailable: sentence }),
  ]),
  timeout: z.strictObject({ key: z.string(), unit: z.enum(["ms", "s"]), about: sentence }).optional(),
  /** What to do after a change before the client notices it. */
  activate: sentence,
  /** What must be said or done once, before its agents may use our tools. */
  approval: sentence,
  notes: z.array(sentence).default([]),
});

/** What is known about one MCP client. */
export type ClientProfile = z.output<typeof clientProfile>;
export type ClientProfileInput = z.input<typeof clientProfile>;
export type Transport = "stdio" | "http";
export type Place = "user" | "project";

/** @throws {z.ZodError} when the profile breaks a rule. */
export function defineClient(profile: ClientProfileInput): ClientProfile {
  return clientProfile.parse(profile);
}
