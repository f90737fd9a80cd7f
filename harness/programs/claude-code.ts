import { join } from "node:path";
import { MODEL, MODEL_KEY, type Program } from "./program.ts";

/** `claude -p`. */
export const claudeCode: Program = {
  client: "claude-code",
  seenWith: "2.1.197",
  environment: ({ root }, modelUrl) => ({
    CLAUDE_CONFIG_DIR: join(root, "claude"),
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: MODEL_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    // Otherwise the model's first request goes out with the tools of whichever server was ready by then.
    MCP_CONNECTION_NONBLOCKING: "0",
    MCP_CONNECT_TIMEOUT_MS: "30000",
  }),
  files: ({ root, work }) => ({
    [join(root, "claude", ".claude.json")]: `${JSON.stringify(
      {
        hasCompletedOnboarding: true,
        theme: "dark",
        customApiKeyResponses: { approved: [MODEL_KEY], rejected: [] },
        projects: { [work]: { hasTrustDialogAccepted: true } },
      },
      null,
      2,
    )}\n`,
  }),
  args: (_place, prompt) => [
    ...["-p", prompt],
    ...["--output-format", "stream-json", "--verbose"],
    ...["--model", MODEL],
    ...["--allowedTools", "mcp__intercom"],
  ],
};
