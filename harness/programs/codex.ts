import { join } from "node:path";
import { MODEL, MODEL_KEY, type Program } from "./program.ts";

/** `codex exec`. */
export const codex: Program = {
  client: "codex",
  seenWith: "0.171.0",
  environment: ({ root }) => ({ CODEX_HOME: join(root, "codex"), SCRIPTED_MODEL_KEY: MODEL_KEY }),
  files: ({ root }, modelUrl) => ({
    [join(root, "codex", "config.toml")]: `model = "${MODEL}"
model_provider = "scripted"
check_for_update_on_startup = false
web_search = "disabled"

[model_providers.scripted]
name = "Scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "SCRIPTED_MODEL_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[features]
plugins = false
apps = false
`,
  }),
  args: ({ work }, prompt) => [
    "exec",
    "--skip-git-repo-check",
    "--json",
    // Otherwise it refuses to call tools that change something, for there is nobody to ask.
    ...["-c", 'mcp_servers.intercom.default_tools_approval_mode="approve"'],
    // Otherwise the model's first request goes out after a second, with the tools of whichever server was ready by then.
    ...["-c", "mcp_servers.intercom.required=true"],
    ...["-C", work],
    prompt,
  ],
};
