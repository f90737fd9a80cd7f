import { Option } from "commander";
import { LINK_POLICIES, type LinkPolicy, type ScopeSummary } from "../../protocol/index.ts";
import { given } from "../arguments.ts";
import { type Register, subcommand } from "../command.ts";
import { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { table } from "../output/table.ts";
import { escapeForTerminal } from "../output/text.ts";
import { relative } from "../output/time.ts";
import { registerArchives } from "./scope-archive.ts";
import { registerStorage } from "./scope-storage.ts";

export const register: Register = (command, invocation) => {
  const connect = () => {
    const context = new Context(invocation());
    return { out: context.out, admin: context.admin() };
  };

  subcommand(command, "create [id]", {
    summary: "make a scope",
    about: "Makes a scope. Its token is shown once; commands of this user do not need it, scripts elsewhere may.",
    examples: [
      ["scope create webshop"],
      ["scope create audit --link-policy explicit", "agents talk only after you link them"],
    ],
  })
    .addOption(linkPolicyOption().default("open"))
    .action(async (id: string | undefined, { linkPolicy }: { linkPolicy: LinkPolicy }) => {
      const { out, admin } = connect();
      const credential = await admin.createScope(given({ id, linkPolicy }));
      const { scopeId, scopeToken } = credential;
      out.result({ ...credential, linkPolicy }, () =>
        [`Created the scope ${scopeId} (links: ${linkPolicy}).`, `Its token, shown only now: ${scopeToken}`].join("\n"),
      );
    });

  subcommand(command, "list", { summary: "show all scopes", examples: [["scope list"]] }).action(async () => {
    const { out, admin } = connect();
    const scopes = await admin.listScopes();
    out.result({ scopes }, () =>
      scopes.length === 0
        ? "There is no scope yet. Create one with: agent-intercom scope create"
        : scopeTable(scopes, out.now(), out.width),
    );
  });

  subcommand(command, "set <id>", {
    summary: "change who may talk to whom",
    examples: [["scope set webshop --link-policy explicit"]],
  })
    .addOption(linkPolicyOption().makeOptionMandatory())
    .action(async (id: string, { linkPolicy }: { linkPolicy: LinkPolicy }) => {
      const { out, admin } = connect();
      const scope = await admin.scope(id).updateScope({ linkPolicy });
      out.result(scope, () => `The scope ${scope.scopeId} has ${scope.linkPolicy} links now.`);
    });

  subcommand(command, "rotate-token <id>", {
    summary: "replace a scope's token",
    about: "Replaces a scope's token. Every agent that is running in the scope has to register again.",
    examples: [["scope rotate-token webshop"]],
  }).action(async (scopeId: string) => {
    const { out, admin } = connect();
    const credential = await admin.rotateScopeToken({ scopeId });
    out.result(credential, () =>
      [
        `The old token of ${credential.scopeId} no longer works, and its agents were retired.`,
        `Its token, shown only now: ${credential.scopeToken}`,
      ].join("\n"),
    );
  });

  subcommand(command, "delete <id>", {
    summary: "delete a scope with everything in it",
    about: "Deletes a scope with its agents, messages, tasks and history. This cannot be undone.",
    examples: [["scope delete webshop --confirm webshop"]],
  })
    .option("--confirm <id>", "the scope's id once more")
    .action(async (scopeId: string, { confirm }: { confirm?: string }) => {
      if (confirm !== scopeId) {
        throw usageError(
          `This deletes everything in the scope ${scopeId} and cannot be undone.`,
          `If you mean it: agent-intercom scope delete ${scopeId} --confirm ${scopeId}`,
        );
      }
      const { out, admin } = connect();
      const outcome = await admin.deleteScope({ scopeId, confirmScopeId: confirm });
      const name = escapeForTerminal(scopeId);
      out.result({ scopeId, ...outcome }, () =>
        outcome.deleted ? `Deleted the scope ${name}.` : `There was no scope ${name}.`,
      );
    });

  registerArchives(command, invocation);
  registerStorage(command, invocation);
};

function linkPolicyOption(): Option {
  return new Option("--link-policy <policy>", "who may talk to whom: everybody, or only agents you link").choices([
    ...LINK_POLICIES,
  ]);
}

function scopeTable(scopes: readonly ScopeSummary[], now: number, width: number | undefined): string {
  return table<ScopeSummary>(
    [
      { title: "scope", cell: ({ scopeId }) => scopeId },
      { title: "links", cell: ({ linkPolicy }) => linkPolicy },
      { title: "created", cell: ({ createdAt }) => relative(createdAt, now) },
    ],
    scopes,
    width,
  );
}
