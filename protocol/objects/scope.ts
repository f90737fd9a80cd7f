import { z } from "zod";
import { oneOf } from "../fields.ts";
import { identifier, instant } from "../ids.ts";

/** `explicit`: only linked agents are peers. `open`: every agent of the scope is a peer of every other. */
export const LINK_POLICIES = ["explicit", "open"] as const;
export const linkPolicy = oneOf(LINK_POLICIES);
export type LinkPolicy = (typeof LINK_POLICIES)[number];

export const scopeSummary = z
  .object({ scopeId: identifier, createdAt: instant, linkPolicy })
  .meta({ id: "ScopeSummary" });
export type ScopeSummary = z.output<typeof scopeSummary>;

export const scopeCredential = z
  .object({ scopeId: identifier, scopeToken: z.string().meta({ description: "Shown once; only its hash is kept." }) })
  .meta({ id: "ScopeCredential" });
export type ScopeCredential = z.output<typeof scopeCredential>;

export const link = z.object({ left: identifier, right: identifier, createdAt: instant }).meta({ id: "Link" });
export type Link = z.output<typeof link>;

export const linkRequestStatus = oneOf(["pending", "accepted", "declined"]);

export const linkRequest = z
  .object({
    id: identifier,
    scopeId: identifier,
    from: identifier,
    to: identifier,
    reason: z.string().optional(),
    status: linkRequestStatus,
    createdAt: instant,
    resolvedAt: instant.optional(),
  })
  .meta({ id: "LinkRequest" });
export type LinkRequest = z.output<typeof linkRequest>;
