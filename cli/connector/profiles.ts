import { dirname } from "node:path";
import { z } from "zod";
import { ensurePrivateDirectory } from "../../daemon/runtime/paths.ts";
import { readPrivateFile, writePrivateFile } from "../../daemon/runtime/private-file.ts";
import { IDENTIFIER_PATTERN } from "../../protocol/index.ts";
import { CliError, usageError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";

const profile = z.strictObject({
  /** Where the daemon is; without one it is that of this user. */
  address: z.url({ protocol: /^https?$/ }).optional(),
  token: z.string().regex(/^[A-Za-z0-9_.:-]{32,512}$/),
});

const credentials = z.strictObject({
  version: z.literal(1),
  profiles: z.record(z.string().regex(IDENTIFIER_PATTERN), profile),
});

/** The credential of a connector, and where it is good. */
export type Profile = z.output<typeof profile>;

type Profiles = Readonly<Record<string, Profile>>;

/** Credentials by profile name, in a file that only its owner can read: so that no configuration of a client holds one. */
export class ProfileStore {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** @throws {CliError} when there is none, or the file cannot be trusted */
  get(name: string): Profile {
    const profiles = this.#read();
    if (Object.hasOwn(profiles, name)) return profiles[name] as Profile;
    const names = Object.keys(profiles);
    throw new CliError(`There is no profile ${name}.`, {
      exitCode: EXIT.notFound,
      code: "NO_PROFILE",
      hint:
        names.length > 0
          ? `Profiles there are: ${names.join(", ")}`
          : `Make one with: agent-intercom connector create ${name} --save`,
    });
  }

  /** Name of the profile that holds a credential of this connector. */
  nameOf(connectorId: string): string | undefined {
    return Object.entries(this.#read()).find(([, { token }]) => token.startsWith(`${connectorId}.`))?.[0];
  }

  /** @throws {CliError} when the name is taken by another connector or cannot be one, or the file cannot be trusted */
  check(name: string, connectorId?: string): void {
    if (!IDENTIFIER_PATTERN.test(name)) {
      throw usageError(
        `--save: ${name} cannot be the name of a profile.`,
        "Use letters, digits and _ . : - and begin with a letter or digit.",
      );
    }
    const profiles = this.#read();
    const there = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    if (!there || (connectorId !== undefined && there.token.startsWith(`${connectorId}.`))) return;
    throw new CliError(`There is a profile ${name} already, of another connector.`, {
      exitCode: EXIT.conflict,
      code: "EXISTS",
      hint: "Choose another name: --save NAME",
    });
  }

  /** Keeps a credential. Call {@link check} first. */
  set(name: string, added: Profile): void {
    this.#write({ ...this.#read(), [name]: added });
  }

  /** Forgets what there is of a connector; gives the name of its profile. */
  remove(connectorId: string): string | undefined {
    const name = this.nameOf(connectorId);
    if (name === undefined) return undefined;
    const { [name]: _, ...others } = this.#read();
    this.#write(others);
    return name;
  }

  #read(): Profiles {
    const reading = readPrivateFile(this.file, credentials);
    if (reading.state === "absent") return {};
    if (reading.state === "present") return reading.content.profiles;
    throw new CliError(`The file of credentials cannot be trusted: ${reading.reason}. It was left as it is.`, {
      exitCode: EXIT.denied,
      code: "UNTRUSTED_CREDENTIALS",
      hint: "Find out who changed it. Then put it right (owned by you, mode 600), or remove it and rotate the connectors with --save.",
    });
  }

  #write(profiles: Profiles): void {
    ensurePrivateDirectory(dirname(this.file));
    writePrivateFile(this.file, credentials.parse({ version: 1, profiles }));
  }
}
