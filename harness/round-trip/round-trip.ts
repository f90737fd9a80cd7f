import { randomBytes } from "node:crypto";
import type { AdminClient } from "../../client/index.ts";
import type { EntryRequest } from "../../connect/index.ts";
import type { Program } from "../programs/program.ts";
import { startProgram } from "../run.ts";
import { type Check, checksOf } from "./checks.ts";
import { startCounterpart } from "./counterpart.ts";
import { roundTripScript, textsOf } from "./script.ts";

export interface RoundTripOptions {
  readonly program: Program;
  /** The program itself, absolute. */
  readonly file: string;
  /** The daemon to go through. */
  readonly admin: AdminClient;
  readonly entry: Pick<EntryRequest, "launcher" | "address" | "runtimeDir">;
  /** Where the daemon keeps its data, so that nobody starts another one. */
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds the program may take. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const COUNTERPART = "counterpart";
const PROMPT = "Find the others, talk to them, and deal with what they want.";

/**
 * Sends messages there and back between a real program and an agent of our own, in a scope that is made for it and deleted
 * afterwards. The program connects over stdio, the way `agent-intercom connect` sets it up.
 * @throws {NotStartable} when the program cannot be started at all
 * @throws {IntercomError} when the daemon does not take part
 */
export async function roundTrip(options: RoundTripOptions): Promise<Check[]> {
  const { program, file, admin, entry, dataDir, env, timeoutMs, signal } = options;
  const nonce = randomBytes(6).toString("hex");
  const scopeId = `doctor-${nonce}`;
  const texts = textsOf(nonce);
  await admin.createScope({ id: scopeId, linkPolicy: "open" });
  try {
    const scope = admin.scope(scopeId);
    const counterpart = await startCounterpart(scope, COUNTERPART, texts);
    try {
      const run = await startProgram({
        program,
        file,
        prompt: PROMPT,
        script: roundTripScript(COUNTERPART, texts),
        transport: "stdio",
        entry: { ...entry, scope: scopeId },
        variables: { AGENT_INTERCOM_DATA_DIR: dataDir },
        env,
        timeoutMs,
        signal,
      });
      const ended = await run.ended;
      const { messages } = await scope.listMessages({ agent: COUNTERPART });
      return checksOf({ ended, model: run.model, counterpart, texts, messages });
    } finally {
      await counterpart.close();
    }
  } finally {
    await admin.deleteScope({ scopeId, confirmScopeId: scopeId });
  }
}
