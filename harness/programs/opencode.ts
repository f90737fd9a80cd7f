import { join } from "node:path";
import type { Place } from "../place.ts";
import { MODEL, MODEL_KEY, type Program } from "./program.ts";

const SEEN_WITH = "1.18.33";
/** It installs this package into each of its configuration folders unless it finds it noted down there. */
const PLUGIN = { dependencies: { "@opencode-ai/plugin": SEEN_WITH } };
const SWITCHED_OFF = [
  "MODELS_FETCH",
  "AUTOUPDATE",
  "LSP_DOWNLOAD",
  "DEFAULT_PLUGINS",
  "SHARE",
  "CLAUDE_CODE",
  "EXTERNAL_SKILLS",
];

/** `opencode run`. */
export const opencode: Program = {
  client: "opencode",
  seenWith: SEEN_WITH,
  environment: () => Object.fromEntries(SWITCHED_OFF.map((name) => [`OPENCODE_DISABLE_${name}`, "1"])),
  files: (place, modelUrl) => ({
    [join(folder(place), "opencode.json")]: json({
      $schema: "https://opencode.ai/config.json",
      model: `scripted/${MODEL}`,
      small_model: `scripted/${MODEL}`,
      share: "disabled",
      autoupdate: false,
      snapshot: false,
      enabled_providers: ["scripted"],
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          name: "Scripted",
          options: { baseURL: `${modelUrl}/v1`, apiKey: MODEL_KEY },
          models: { [MODEL]: { name: MODEL, tool_call: true, limit: { context: 200_000, output: 8_000 } } },
        },
      },
    }),
    [join(folder(place), "package.json")]: json(PLUGIN),
    [join(folder(place), "package-lock.json")]: json({
      name: "opencode",
      lockfileVersion: 3,
      requires: true,
      packages: { "": PLUGIN },
    }),
    [join(folder(place), "node_modules", ".keep")]: "",
  }),
  args: (_place, prompt) => ["run", "--format", "json", prompt],
};

function folder({ root }: Place): string {
  return join(root, "config", "opencode");
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
