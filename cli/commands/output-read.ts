import type { Command } from "commander";
import type { FollowedOutput, FollowOutputOptions } from "../../client/index.ts";
import { LIMITS, type OperationInput, type OutputHistory, type OutputValue } from "../../protocol/index.ts";
import { given, wholeNumber } from "../arguments.ts";
import { subcommand } from "../command.ts";
import type { Context } from "../context.ts";
import type { Printer } from "../output/printer.ts";
import { escapeBlockForTerminal, escapeForTerminal, indent } from "../output/text.ts";
import { clockTime } from "../output/time.ts";
import { findStream } from "../outside.ts";
import { interruption } from "../signals.ts";

interface Options {
  readonly after?: number;
  readonly limit: number;
  readonly follow?: boolean;
}

/** A stream as one may read it: its owner, or who holds a credential. */
interface Readable {
  history(input: Omit<OperationInput<"listOutputValues">, "streamId">): Promise<OutputHistory>;
  follow(options: Omit<FollowOutputOptions, "streamId">): AsyncGenerator<FollowedOutput, void, undefined>;
}

export function registerRead(command: Command, connect: () => Context): void {
  subcommand(command, "read <stream>", {
    summary: "show the newest values of a stream, or watch it",
    about:
      "Shows the newest values of a stream: as the owner, who may name it, or with the credential in " +
      "AGENT_INTERCOM_OUTPUT_CREDENTIAL, whose holder gives its id.",
    examples: [
      ["output read build-status"],
      ["output read build-status --limit 1 --json | jq -r '.values[0].value'", "the newest value alone"],
      ["output read build-status --after 0 --follow --json", "one JSON object per line"],
    ],
  })
    .option("-f, --follow", "keep watching, until Ctrl-C")
    .option("--after <sequence>", "only values after this one", wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .option("--limit <n>", "without --follow: at most this many", wholeNumber(1, LIMITS.outputPage), 20)
    .action(async (stream: string, options: Options) => {
      const context = connect();
      const source = await readable(context, stream);
      if (options.follow) await follow(context.out, source, options.after);
      else await recent(context.out, source, options);
    });
}

async function readable(context: Context, stream: string): Promise<Readable> {
  const outside = context.outputHolder();
  if (outside) {
    const of = { streamId: stream };
    return {
      history: (input) => outside.history({ ...of, ...input }),
      follow: (options) => outside.follow({ ...of, ...options }),
    };
  }
  const { client } = await context.owner();
  const of = { streamId: (await findStream(client, stream)).id };
  return {
    history: (input) => client.listOutputValues({ ...of, ...input }),
    follow: (options) => client.followOutput({ ...of, ...options }),
  };
}

async function recent(out: Printer, source: Readable, { after, limit }: Options): Promise<void> {
  const { currentSequence, minimumCursor } = await source.history({ limit: 1 });
  const wanted = after ?? currentSequence - limit;
  if (after !== undefined && after < minimumCursor) out.notice(goneText(minimumCursor));
  const page = await source.history({ after: Math.max(wanted, minimumCursor), limit });
  out.result(page, () =>
    page.values.length === 0
      ? after === undefined
        ? "Nothing has been published yet."
        : "Nothing has been published after that."
      : page.values.map((value) => valueText(value, out)).join("\n"),
  );
  if (page.nextSequence < page.currentSequence)
    out.notice(`There are more. Continue with --after ${page.nextSequence}`);
}

async function follow(out: Printer, source: Readable, after: number | undefined): Promise<void> {
  const signal = interruption();
  for await (const { sequence, output } of source.follow({ signal, ...given({ after }) })) {
    if (output) out.item(output, () => valueText(output, out));
    else out.item({ type: "resync", sequence }, () => goneText(sequence));
  }
}

function goneText(sequence: number): string {
  return `Values up to ${sequence} are no longer kept.`;
}

/** `12:00:01  #3  builder  ready`; longer texts go below. */
function valueText(value: OutputValue, out: Printer): string {
  const head = `${clockTime(value.createdAt, out.now())}  #${value.sequence}  ${value.producerId}`;
  const text = typeof value.value === "string" ? value.value : JSON.stringify(value.value);
  const content = text.includes("\n")
    ? `\n${indent(escapeBlockForTerminal(text.replace(/\n$/, "")), "    ")}`
    : `  ${escapeForTerminal(text)}`;
  const { reference } = value;
  if (!reference) return head + content;
  const title = reference.title === undefined ? "" : `${escapeForTerminal(reference.title)}: `;
  return `${head}${content}\n    ${title}${escapeForTerminal(reference.uri)}`;
}
