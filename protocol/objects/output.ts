import { z } from "zod";
import { flag, integer, oneOf } from "../fields.ts";
import { identifier, instant } from "../ids.ts";
import { jsonValue } from "../json.ts";
import { LIMITS } from "../limits.ts";
import { text, utf8Length } from "../text.ts";

export const OUTPUT_CONTENT_TYPES = ["text/plain", "application/json"] as const;
export const outputContentType = oneOf(OUTPUT_CONTENT_TYPES);
export type OutputContentType = (typeof OUTPUT_CONTENT_TYPES)[number];

export const OUTPUT_PERMISSIONS = ["read", "publish"] as const;
export const outputPermission = oneOf(OUTPUT_PERMISSIONS);
export type OutputPermission = (typeof OUTPUT_PERMISSIONS)[number];

export const outputPermissions = z
  .array(outputPermission, { error: "expected a list of permissions" })
  .min(1, { error: "expected at least one permission" })
  .max(OUTPUT_PERMISSIONS.length, { error: `expected at most ${OUTPUT_PERMISSIONS.length} permissions` })
  .refine((list) => new Set(list).size === list.length, { error: "expected each permission once" })
  .meta({ uniqueItems: true });

/** What these name is their own text, which a page would run or show as if it came from a place of its own. */
const INLINE_SCHEMES: ReadonlySet<string> = new Set(["javascript:", "vbscript:", "data:", "blob:"]);

/** What is wrong with a link that pages of others will show, or undefined. */
function uriProblem(value: string): string | undefined {
  // Without a scheme of its own, a link means something else in every place it is shown. Browsers drop control
  // characters and outer blanks before they read a link, so that it would not be the one that was checked.
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(value)?.[0].toLowerCase();
  if (scheme === undefined || /\p{Cc}|\s$/u.test(value) || !URL.canParse(value)) return "expected an absolute URI";
  return INLINE_SCHEMES.has(scheme) ? `expected the address of something, not ${scheme}` : undefined;
}

export const outputReference = z
  .strictObject({
    uri: text(LIMITS.outputReferenceUriBytes)
      .check((ctx) => {
        const message = uriProblem(ctx.value);
        if (message !== undefined) ctx.issues.push({ code: "custom", input: ctx.value, message });
      })
      .meta({ format: "uri" }),
    title: text(LIMITS.outputReferenceTitleBytes).optional(),
  })
  .meta({ id: "OutputReference" });
export type OutputReference = z.output<typeof outputReference>;

/** What is wrong with a value of this type, or undefined when nothing is. */
export function outputValueProblem(contentType: OutputContentType, value: unknown): string | undefined {
  if (contentType === "text/plain") {
    if (typeof value !== "string") return "expected a string with text/plain";
    const bytes = utf8Length(value);
    return bytes > LIMITS.outputTextBytes
      ? `expected at most ${LIMITS.outputTextBytes} bytes of text, got ${bytes}`
      : undefined;
  }
  const bytes = utf8Length(JSON.stringify(value));
  return bytes > LIMITS.outputJsonBytes
    ? `expected at most ${LIMITS.outputJsonBytes} bytes of JSON, got ${bytes}`
    : undefined;
}

export const outputContent = jsonValue.meta({
  description: `Text up to ${LIMITS.outputTextBytes} bytes, or JSON up to ${LIMITS.outputJsonBytes} bytes when encoded; never null.`,
});

export const outputStream = z
  .object({
    id: identifier,
    scopeId: identifier,
    name: identifier,
    retentionLimit: z.int().meta({ description: "So many newest values are kept." }),
    currentSequence: z.int(),
    minimumCursor: z.int().meta({ description: "Oldest cursor that still gets every value after it." }),
    publisherAgentIds: z.array(identifier),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "OutputStream" });
export type OutputStream = z.output<typeof outputStream>;

export const outputValue = z
  .object({
    streamId: identifier,
    sequence: z.int().meta({ description: "Position in its stream, from 1, without gaps." }),
    producerType: oneOf(["agent", "principal"]),
    producerId: identifier,
    contentType: outputContentType,
    value: outputContent,
    reference: outputReference.optional(),
    createdAt: instant,
  })
  .meta({ id: "OutputValue" });
export type OutputValue = z.output<typeof outputValue>;

export const outputHistory = z
  .object({
    streamId: identifier,
    values: z.array(outputValue),
    nextSequence: z.int(),
    currentSequence: z.int(),
    minimumCursor: z.int(),
    resyncRequired: z
      .boolean()
      .meta({ description: "Values after the cursor are gone: take the latest, continue at nextSequence." }),
  })
  .meta({ id: "OutputHistory" });
export type OutputHistory = z.output<typeof outputHistory>;

export const outputPrincipal = z
  .object({
    id: identifier,
    scopeId: identifier,
    streamId: identifier,
    label: z.string(),
    permissions: z.array(outputPermission),
    enabled: flag,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "OutputPrincipal", description: "Somebody outside the scope who may read or publish one stream." });
export type OutputPrincipal = z.output<typeof outputPrincipal>;

/** Shown once; only its digest is kept. */
export const credentialSecret = z.string().meta({ description: "Shown once; the daemon keeps only its hash." });

export const issuedOutputPrincipal = z
  .object({ principal: outputPrincipal, credential: credentialSecret })
  .meta({ id: "IssuedOutputPrincipal" });
export type IssuedOutputPrincipal = z.output<typeof issuedOutputPrincipal>;

export const retentionLimit = integer(1, LIMITS.outputRetentionMax).meta({
  description: `Newest values kept; ${LIMITS.outputRetentionDefault} unless told otherwise.`,
});
