import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { isIntercomError, type OperationInput, type OutputValue } from "../../protocol/index.ts";
import { given } from "../arguments.ts";
import { subcommand } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError, usageError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { textOrStdin } from "../stdin.ts";

interface Options {
  readonly text?: string;
  readonly data?: string;
  readonly reference?: string;
  readonly title?: string;
  readonly key?: string;
}

type Content = Pick<OperationInput<"publishOutput">, "contentType" | "value">;

export function registerPublish(command: Command, connect: () => Context): void {
  subcommand(command, "publish <stream> [text]", {
    summary: "as an agent or with a credential, publish a value",
    about:
      "Publishes a value: as the agent of this shell, or with the credential in AGENT_INTERCOM_OUTPUT_CREDENTIAL. " +
      "Publishers name the stream by its id. Text that is missing or - is read from standard input.",
    examples: [
      ["output publish out_0199... --text ready"],
      ["output publish out_0199... --data report.json --reference https://ci.example/run/7"],
      ["make test 2>&1 | tail -1 | agent-intercom output publish out_0199... -"],
    ],
  })
    .option("--text <text>", "the text, also when it begins with a dash")
    .option("--data <file>", "a file with one JSON value to publish; - is standard input")
    .option("--reference <uri>", "where more is to be found")
    .option("--title <text>", "with --reference: what that is called")
    .option("--key <key>", "idempotency key: publishing again with it changes nothing")
    .action(async (streamId: string, text: string | undefined, options: Options) => {
      const context = connect();
      if (options.title !== undefined && options.reference === undefined)
        throw usageError("--title goes with --reference.");
      const { reference: uri, title } = options;
      const reference = uri === undefined ? undefined : { uri, ...given({ title }) };
      const content = await contentOf(text, options, context.io);
      const value = await publish(context, { streamId, ...content, ...given({ reference }) }, options.key);
      context.out.result(value, () => `Published ${value.sequence} to ${value.streamId}.`);
    });
}

async function contentOf(text: string | undefined, options: Options, io: Io): Promise<Content> {
  if ([text, options.text, options.data].filter((each) => each !== undefined).length > 1) {
    throw usageError("Give one value: a text, --text or --data.");
  }
  if (options.data !== undefined) return { contentType: "application/json", value: await readJson(options.data, io) };
  return { contentType: "text/plain", value: options.text ?? (await textOrStdin(text, io, "value")) };
}

async function readJson(file: string, io: Io): Promise<unknown> {
  const content = file === "-" ? await textOrStdin("-", io, "value") : await read(file);
  try {
    return JSON.parse(content);
  } catch {
    throw usageError(`--data: expected one JSON value in ${file === "-" ? "standard input" : file}.`);
  }
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw usageError(`--data: ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  }
}

async function publish(
  context: Context,
  input: OperationInput<"publishOutput">,
  idempotencyKey: string | undefined,
): Promise<OutputValue> {
  const outside = context.outputHolder();
  const agent = outside ? undefined : context.agent();
  if (!outside && !agent) {
    throw new CliError("Only a publisher can publish, and this shell is none.", {
      exitCode: EXIT.denied,
      code: "NO_PUBLISHER",
      hint:
        "Run this as an agent that may publish (agent-intercom output publisher add), or issue a credential with\n" +
        "agent-intercom output credential create STREAM LABEL --publish and set AGENT_INTERCOM_OUTPUT_CREDENTIAL to it.",
    });
  }
  try {
    const options = { idempotencyKey };
    return await (outside
      ? outside.publish(input, options)
      : (agent as NonNullable<typeof agent>).publishOutput(input, options));
  } catch (error) {
    throw byName(input.streamId, error) ?? error;
  }
}

/** Publishers may not look up names, so a name is nothing they can be told more about. */
function byName(stream: string, error: unknown): CliError | undefined {
  const unknown = isIntercomError(error, "NOT_FOUND") || isIntercomError(error, "UNAUTHENTICATED");
  if (!unknown || stream.startsWith("out_")) return undefined;
  return new CliError(`${stream} is no stream this shell may publish to.`, {
    exitCode: EXIT.notFound,
    code: error.code,
    hint: "Publishers name a stream by its id, out_...; its owner sees it with: agent-intercom output list",
  });
}
