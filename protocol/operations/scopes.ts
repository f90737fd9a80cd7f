import { z } from "zod";
import { identifier } from "../ids.ts";
import { linkPolicy, scopeCredential, scopeSummary } from "../objects/scope.ts";
import { operation } from "../operation.ts";

/** Scopes: made and removed with the admin credential, described and configured by their owner. */
export const scopeOperations = {
  createScope: operation({
    summary: "Create a scope and its token",
    description: "The token is shown once. After a lost answer list the scopes and rotate the token.",
    method: "POST",
    path: "/v1/scopes",
    authority: "admin",
    input: z.strictObject({ id: identifier.optional(), linkPolicy: linkPolicy.optional() }),
    result: scopeCredential,
    status: 201,
    errors: ["CONFLICT"],
  }),
  listScopes: operation({
    summary: "Every scope of the daemon, by id",
    method: "GET",
    path: "/v1/admin/scopes",
    authority: "admin",
    input: z.strictObject({}),
    result: z.array(scopeSummary),
  }),
  rotateScopeToken: operation({
    summary: "Replace a scope's token",
    description:
      "Retires every execution of the scope and frees their reservations and claims in the same transaction.",
    method: "POST",
    path: "/v1/admin/scopes/{scopeId}/rotate-token",
    authority: "admin",
    input: z.strictObject({ scopeId: identifier }),
    result: scopeCredential,
    errors: ["NOT_FOUND"],
  }),
  deleteScope: operation({
    summary: "Delete a scope with everything in it",
    method: "DELETE",
    path: "/v1/admin/scopes/{scopeId}",
    authority: "admin",
    input: z.strictObject({
      scopeId: identifier,
      confirmScopeId: identifier.meta({ description: "The scope id once more, exactly." }),
    }),
    inputIn: "body",
    result: z.object({ deleted: z.boolean() }),
    idempotency: "natural",
  }),
  getScope: operation({
    summary: "The scope itself",
    method: "GET",
    path: "/v1/scope",
    authority: "scope",
    input: z.strictObject({}),
    result: scopeSummary,
  }),
  updateScope: operation({
    summary: "Change how agents of the scope become peers",
    method: "PATCH",
    path: "/v1/scope",
    authority: "scope",
    input: z.strictObject({ linkPolicy }),
    result: scopeSummary,
    idempotency: "natural",
  }),
};
