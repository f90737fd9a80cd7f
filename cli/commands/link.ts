import type { Link, LinkRequest } from "../../protocol/index.ts";
import { given } from "../arguments.ts";
import { type Register, subcommand } from "../command.ts";
import { Context } from "../context.ts";
import { table } from "../output/table.ts";
import { escapeForTerminal } from "../output/text.ts";
import { relative } from "../output/time.ts";
import { type ForwardPage, forwardPage, noticeMore } from "../paging.ts";

export const register: Register = (command, invocation) => {
  const connect = async () => {
    const context = new Context(invocation());
    return { out: context.out, ...(await context.owner()) };
  };
  command.description(
    "Decides which agents are peers: in a scope with open links everybody is, in one with explicit links only those you link.",
  );

  subcommand(command, "add <left> <right>", {
    summary: "make two agents peers",
    examples: [["link planner reviewer", "short for: link add planner reviewer"]],
    isDefault: true,
  }).action(async (left: string, right: string) => {
    const { out, client } = await connect();
    const outcome = await client.linkAgents({ left, right });
    out.result(
      { left, right, ...outcome },
      () => `${escapeForTerminal(left)} and ${escapeForTerminal(right)} are peers.`,
    );
  });

  subcommand(command, "remove <left> <right>", {
    summary: "take a link back",
    about: "Takes a link back. Messages already accepted are still delivered.",
    examples: [["link remove planner reviewer"]],
  }).action(async (left: string, right: string) => {
    const { out, client } = await connect();
    const outcome = await client.unlinkAgents({ left, right });
    out.result({ left, right, ...outcome }, () => (outcome.unlinked ? "The link is gone." : "There was no such link."));
  });

  const list = subcommand(command, "list", { summary: "show explicit links", examples: [["link list"]] });
  forwardPage(list).action(async (page: ForwardPage) => {
    const { out, client, scopeId } = await connect();
    const [{ linkPolicy }, result] = await Promise.all([client.getScope(), client.listLinks(given({ ...page }))]);
    out.result({ linkPolicy, ...result }, () => {
      const open = `The scope ${scopeId} has open links: every agent is a peer of every other.`;
      if (result.links.length > 0) {
        return `${linkTable(result.links, out.now(), out.width)}${linkPolicy === "open" ? `\n\n${open}` : ""}`;
      }
      return linkPolicy === "open" ? open : "There are no links. Make one with: agent-intercom link <left> <right>";
    });
    noticeMore(out, "--after", result.nextCursor);
  });

  const requests = subcommand(command, "requests", {
    summary: "show which links agents ask for",
    examples: [["link requests"], ["link requests --all"]],
  }).option("--all", "also those already decided");
  forwardPage(requests).action(async ({ all, ...page }: ForwardPage & { all?: boolean }) => {
    const { out, client } = await connect();
    const status = all ? undefined : ("pending" as const);
    const result = await client.listLinkRequests(given({ ...page, status }));
    out.result(result, () =>
      result.linkRequests.length === 0
        ? "No agent asks for a link."
        : requestTable(result.linkRequests, out.now(), out.width),
    );
    noticeMore(out, "--after", result.nextCursor);
  });

  for (const accept of [true, false]) {
    const name = accept ? "accept" : "decline";
    subcommand(command, `${name} <request>`, {
      summary: accept ? "grant a link an agent asked for" : "refuse a link an agent asked for",
      examples: [[`link ${name} lreq_0199...`]],
    }).action(async (linkRequestId: string) => {
      const { out, client } = await connect();
      const request = await client.resolveLinkRequest({ linkRequestId, accept });
      const [from, to] = [escapeForTerminal(request.from), escapeForTerminal(request.to)];
      out.result(request, () => (accept ? `${from} and ${to} are peers.` : `Declined the link from ${from} to ${to}.`));
    });
  }
};

function linkTable(links: readonly Link[], now: number, width: number | undefined): string {
  return table<Link>(
    [
      { title: "left", cell: (link) => link.left },
      { title: "right", cell: (link) => link.right },
      { title: "created", cell: (link) => relative(link.createdAt, now) },
    ],
    links,
    width,
  );
}

function requestTable(requests: readonly LinkRequest[], now: number, width: number | undefined): string {
  return table<LinkRequest>(
    [
      { title: "id", cell: ({ id }) => id },
      { title: "from", cell: ({ from }) => from },
      { title: "to", cell: ({ to }) => to },
      { title: "state", cell: ({ status }) => status },
      { title: "asked", cell: ({ createdAt }) => relative(createdAt, now) },
      { title: "reason", cell: ({ reason }) => reason ?? "", shrinkTo: 12 },
    ],
    requests,
    width,
  );
}
