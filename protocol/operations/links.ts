import { z } from "zod";
import { flag, forwardPage, nextCursor } from "../fields.ts";
import { identifier } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { link, linkRequest, linkRequestStatus } from "../objects/scope.ts";
import { operation } from "../operation.ts";
import { text } from "../text.ts";

const pair = z
  .strictObject({ left: identifier, right: identifier.meta({ description: "Another agent than `left`." }) })
  .refine((value) => value.left !== value.right, { error: "expected two different agents", path: ["right"] });

/** Peer links: made by the owner, or asked for by an agent and granted by the owner. */
export const linkOperations = {
  linkAgents: operation({
    summary: "Make two agents peers",
    method: "POST",
    path: "/v1/links",
    authority: "scope",
    input: pair,
    result: z.object({ linked: z.literal(true) }),
    errors: ["NOT_FOUND"],
    idempotency: "natural",
  }),
  unlinkAgents: operation({
    summary: "Take a link back",
    description: "Messages already accepted are still delivered.",
    method: "DELETE",
    path: "/v1/links",
    authority: "scope",
    input: pair,
    result: z.object({ unlinked: z.boolean() }),
    idempotency: "natural",
  }),
  listLinks: operation({
    summary: "Explicit links of the scope in pages",
    method: "GET",
    path: "/v1/scope/links",
    authority: "scope",
    input: z.strictObject(forwardPage),
    result: z.object({ links: z.array(link), nextCursor }),
  }),
  requestLink: operation({
    summary: "Ask the owner for a link to another agent",
    description: "Asking again while a request is pending returns that request.",
    method: "POST",
    path: "/v1/me/link-requests",
    authority: "agent",
    input: z.strictObject({ to: identifier, reason: text(LIMITS.reasonBytes, 0).optional() }),
    result: linkRequest,
    status: 201,
    errors: ["NOT_FOUND", "CONFLICT"],
    idempotency: "natural",
  }),
  listLinkRequests: operation({
    summary: "Link requests of the scope in pages",
    method: "GET",
    path: "/v1/scope/link-requests",
    authority: "scope",
    input: z.strictObject({ status: linkRequestStatus.optional(), ...forwardPage }),
    result: z.object({ linkRequests: z.array(linkRequest), nextCursor }),
  }),
  resolveLinkRequest: operation({
    summary: "Accept or decline a link request",
    method: "POST",
    path: "/v1/scope/link-requests/{linkRequestId}/resolve",
    authority: "scope",
    input: z.strictObject({ linkRequestId: identifier, accept: flag }),
    result: linkRequest,
    errors: ["CONFLICT"],
    idempotency: "key",
  }),
};
