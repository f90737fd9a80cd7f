import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { UiFile } from "./files.ts";

export type Encoding = "br" | "gzip";

const compressors: Readonly<Record<Encoding, (content: Buffer) => Promise<Buffer>>> = {
  // As small as gzip's best in a third of the time; the best costs seconds.
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (content) => promisify(gzip)(content),
};

/** Compresses each file once, when it is first asked for that way. */
export class Compression {
  readonly #done = new Map<UiFile, Map<Encoding, Promise<Buffer>>>();

  content(file: UiFile, encoding: Encoding): Promise<Buffer> {
    let ofFile = this.#done.get(file);
    if (!ofFile) {
      ofFile = new Map();
      this.#done.set(file, ofFile);
    }
    let content = ofFile.get(encoding);
    if (!content) {
      content = compressors[encoding](file.content);
      ofFile.set(encoding, content);
    }
    return content;
  }
}

/** The best encoding a client takes, going by its `Accept-Encoding`; undefined for none of ours. */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  const accepted = new Map(
    (header ?? "").split(",").map((each) => {
      const [name = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))];
    }),
  );
  return (["br", "gzip"] as const).find((encoding) => accepted.get(encoding));
}
