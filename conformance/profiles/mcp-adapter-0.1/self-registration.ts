import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { equal, holds, matches, read } from "../../core/assert.ts";
import { CheckSkipped } from "../../core/failure.ts";
import type { Check } from "../../core/profile.ts";
import { at } from "../../http/path.ts";
import { McpClient } from "../../mcp/client.ts";
import { acknowledgement, agents, messages, nodeStatus, task } from "../local-0.1/objects.ts";
import type { AdapterWorld } from "./world.ts";

const AGENT_ID = "stdio-owned";
const ENDS_WITHIN_MS = 10_000;

/** Leaves a scope's token where a program of the same user looks for it. */
function writeScopeToken(dataDir: string, scopeId: string, token: string): void {
  const directory = join(dataDir, "scopes");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  const name = `${createHash("sha256").update(scopeId).digest("hex")}.token`;
  writeFileSync(join(directory, name), `${token}\n`, { mode: 0o600 });
}

/** The optional check 15: an adapter that registers its own agent. */
export const selfRegistrationChecks: readonly Check<AdapterWorld>[] = [
  {
    name: "self-registering-stdio-lifecycle",
    proves: "An adapter registers its agent by itself, and takes it offline when its input ends.",
    async run(world) {
      const { selfRegistration } = world.run;
      if (!selfRegistration) throw new CheckSkipped("Asked for with --check-self-registration together with --start");
      const { dataDir, runtimeDir } = selfRegistration;
      const owner = world.owner.get();
      const partner = await world.session("partner");
      writeScopeToken(dataDir, world.scopeId, owner.token ?? "");
      const identity = ["--scope", world.scopeId, "--agent", AGENT_ID];
      const adapter = world.spawn([...identity, "--data-dir", dataDir, "--runtime-dir", runtimeDir], {});
      const tools = new McpClient(adapter);
      await tools.initialize();
      const status = read("get_node_status", await tools.call("get_node_status", {}), nodeStatus);
      matches("the identity", status.identity, { scopeId: world.scopeId, agentId: AGENT_ID });

      const link = { left: AGENT_ID, right: partner.agent.id };
      await owner.post("/v1/links", link, z.looseObject({ linked: z.literal(true) }));
      const { messageId } = await partner.agent.tell({ to: AGENT_ID, body: "Hello." });
      const inbox = read("check_inbox", await tools.call("check_inbox", { limit: 10 }), z.looseObject({ messages }));
      equal(
        "what the adapter receives",
        inbox.messages.map(({ id }) => id),
        [messageId],
      );
      // Models send lists as text.
      const args = { messageIds: JSON.stringify([messageId]) };
      const { acknowledged } = read(
        "acknowledge_messages",
        await tools.call("acknowledge_messages", args),
        acknowledgement,
      );
      equal("the acknowledged messages", acknowledged, 1);

      const { id: taskId } = await owner.post("/v1/tasks", { title: "Begun over stdio" }, task, 201);
      await tools.call("claim_task", { taskId });
      const ended = await adapter.endInput(ENDS_WITHIN_MS);
      holds("the adapter whose input has ended", ended, {
        expected: "its end",
        got: `runs after ${ENDS_WITHIN_MS} ms`,
      });
      const gone = (await owner.get("/v1/agents", agents)).find(({ id }) => id === AGENT_ID);
      matches("the agent", gone, { lifecycle: "offline", reachable: false });
      const claimed = await partner.agent.post(at`/v1/tasks/${taskId}/claim`, {}, task);
      equal("who has the task now", claimed.claimedBy, partner.agent.id);
    },
  },
];
