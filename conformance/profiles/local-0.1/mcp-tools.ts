import { z } from "zod";
import { equal, matches, read } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { McpClient } from "../../mcp/client.ts";
import { StreamableHttp } from "../../mcp/streamable-http.ts";
import { BUS_TOOLS } from "../../mcp/tools.ts";
import { agents, task } from "./objects.ts";
import { outputValue } from "./owned-objects.ts";
import type { LocalWorld } from "./world.ts";

/** Check 22: the tools at /mcp. */
export const mcpChecks: readonly Check<LocalWorld>[] = [
  {
    name: "mcp-tool-surface",
    proves: "An agent's token opens exactly the 15 tools over MCP, and they act as that agent.",
    async run(world) {
      const reviewer = world.reviewer.get();
      const mcp = new McpClient(new StreamableHttp(world.run.http, "/mcp", reviewer.token));
      await mcp.initialize();
      equal("the tools", (await mcp.listTools()).map(({ name }) => name).sort(), [...BUS_TOOLS].sort());
      const peers = await mcp.call("list_peers", {});
      matches("the peers", read("list_peers", peers, z.looseObject({ peers: agents })).peers, [{ id: "planner" }]);
      read("list_tasks", await mcp.call("list_tasks", {}), z.looseObject({ tasks: z.array(task) }));
      const streamId = world.streamId.get();
      const value = await mcp.call("publish_output", { streamId, contentType: "text/plain", value: "done" });
      matches("the published value", read("publish_output", value, outputValue), { streamId, value: "done" });
    },
  },
];
