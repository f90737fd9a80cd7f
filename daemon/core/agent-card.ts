import { type AgentCard, type Capability, IntercomError } from "../../protocol/index.ts";
import type { Context } from "./context.ts";
import { fromJson } from "./encoding.ts";
import { publicationUrls } from "./publication-rows.ts";

const DESCRIPTION =
  "An agent of a team on Agent Intercom. It takes requests in plain text and answers them when it is there.";
const TEXT_MODES = ["text/plain"];

export interface PublishedCard {
  readonly card: AgentCard;
  /** When what the card says last changed, ms since the epoch. */
  readonly modifiedAt: number;
}

interface CardRow {
  readonly displayName: string;
  readonly capabilities: string;
  readonly modifiedAt: number;
}

/**
 * The Agent Card of a publication (A2A 1.0). It is for everybody, so it tells what a client needs and nothing of the
 * scope or of who the agent is inside it.
 * @throws {IntercomError} NOT_FOUND, in the same words whatever the reason
 */
export async function publishedCard(ctx: Context, publicationId: string): Promise<PublishedCard> {
  const row = await ctx.tx.get<CardRow>(
    `SELECT a.display_name AS displayName, a.capabilities, p.updated_at AS modifiedAt
       FROM a2a_publications p JOIN agents a ON a.no = p.agent_no
      WHERE p.id = ? AND p.enabled = 1 AND a.removed_at IS NULL`,
    publicationId,
  );
  if (!row) throw new IntercomError("NOT_FOUND", "There is no such Agent Card");
  const { interfaceUrl } = publicationUrls(ctx, publicationId);
  const card = {
    name: row.displayName,
    description: DESCRIPTION,
    version: ctx.outside.version,
    supportedInterfaces: [{ url: interfaceUrl, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" }],
    capabilities: {},
    defaultInputModes: TEXT_MODES,
    defaultOutputModes: TEXT_MODES,
    skills: fromJson<Capability[]>(row.capabilities).map(toSkill),
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  };
  return { card, modifiedAt: row.modifiedAt };
}

function toSkill({ name, description }: Capability) {
  return { id: name, name, description: description || `What the agent offers as ${name}.`, tags: [name] };
}
