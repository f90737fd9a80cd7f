import type { Command } from "commander";
import type { ScopeClient } from "../../client/index.ts";
import { subcommand } from "../command.ts";
import type { Context } from "../context.ts";
import { type Column, table } from "../output/table.ts";
import { escapeForTerminal } from "../output/text.ts";
import { relative } from "../output/time.ts";

/** What is the same for every credential that is issued to somebody outside a scope. */
interface Principal {
  readonly id: string;
  readonly label: string;
  readonly enabled: boolean;
  readonly updatedAt: string;
}

interface Issued<P extends Principal> {
  readonly principal: P;
  readonly credential: string;
}

/** One kind of credential: what the commands of its holders are called, and how to change them. */
export interface CredentialKind<P extends Principal> {
  /** The command they belong to, e.g. `output credential`. */
  readonly path: string;
  list(client: ScopeClient): Promise<readonly P[]>;
  rotate(client: ScopeClient, principalId: string): Promise<Issued<P>>;
  enable(client: ScopeClient, principalId: string): Promise<P>;
  disable(client: ScopeClient, principalId: string): Promise<P>;
  /** Columns beside id, label and state; may look up what ids are called. */
  columns(client: ScopeClient): Promise<readonly Column<P>[]>;
}

/** Says that a credential was made, and the credential itself. */
export function issuedText(what: string, credential: string): string {
  return `${what}\nThe credential, shown only now: ${credential}`;
}

/** Adds `list`, `rotate`, `enable` and `disable`. */
export function registerCredentials<P extends Principal>(
  command: Command,
  connect: () => Context,
  kind: CredentialKind<P>,
): void {
  const { path } = kind;
  subcommand(command, "list", {
    summary: "show the credentials, without their secrets",
    examples: [[`${path} list`]],
  }).action(async () => {
    const { out, client } = await owned(connect);
    const credentials = await kind.list(client);
    const columns = await kind.columns(client);
    out.result({ credentials }, () =>
      credentials.length === 0
        ? `There are no credentials. Issue one with: agent-intercom ${path} create`
        : table<P>(
            [
              { title: "id", cell: ({ id }) => id },
              { title: "label", cell: ({ label }) => label, shrinkTo: 8 },
              ...columns,
              { title: "state", cell: ({ enabled }) => (enabled ? "enabled" : "disabled") },
              { title: "changed", cell: ({ updatedAt }) => relative(updatedAt, out.now()), dropBelow: 100 },
            ],
            credentials,
            out.width,
          ),
    );
  });

  subcommand(command, "rotate <id>", {
    summary: "replace a credential's secret",
    about: "Replaces a credential's secret; the old one stops working at once. A disabled credential stays disabled.",
    examples: [[`${path} rotate cred_0199...`]],
  }).action(async (id: string) => {
    const { out, client } = await owned(connect);
    const issued = await kind.rotate(client, id);
    const { principal, credential } = issued;
    const still = principal.enabled ? "" : ` It is still disabled: agent-intercom ${path} enable ${principal.id}`;
    out.result(issued, () => issuedText(`The old secret of ${named(principal)} no longer works.${still}`, credential));
  });

  subcommand(command, "enable <id>", {
    summary: "let a credential work again",
    examples: [[`${path} enable cred_0199...`]],
  }).action(async (id: string) => {
    const { out, client } = await owned(connect);
    const principal = await kind.enable(client, id);
    out.result(principal, () => `${named(principal)} works again.`);
  });

  subcommand(command, "disable <id>", {
    summary: "stop a credential from working",
    examples: [[`${path} disable cred_0199...`]],
  }).action(async (id: string) => {
    const { out, client } = await owned(connect);
    const principal = await kind.disable(client, id);
    out.result(principal, () => `${named(principal)} no longer works. It can be enabled again.`);
  });
}

function named({ id, label }: Principal): string {
  return `${id} (${escapeForTerminal(label)})`;
}

async function owned(connect: () => Context) {
  const context = connect();
  return { out: context.out, client: (await context.owner()).client };
}
