import type { Context } from "./context.ts";

/** The secret of this name that stays with the data, made when it is first asked for. */
export async function storedSecret(ctx: Context, name: string): Promise<Buffer> {
  const found = await ctx.tx.get<{ value: string }>("SELECT value FROM daemon_secrets WHERE name = ?", name);
  if (found) return Buffer.from(found.value, "base64url");
  const value = ctx.ids.token();
  await ctx.tx.run("INSERT INTO daemon_secrets (name, value) VALUES (?, ?)", name, value);
  return Buffer.from(value, "base64url");
}
