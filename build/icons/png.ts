import { crc32, deflateSync, inflateSync } from "node:zlib";
import type { Picture } from "./picture.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BYTES_PER_PIXEL = 4;
/** Eight bits a channel, with opacity. */
const DEPTH_AND_KIND = [8, 6, 0, 0, 0];
const UP = 2;

export function encodePng({ size, rgba }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set(DEPTH_AND_KIND, 8);
  const stride = size * BYTES_PER_PIXEL;
  const rows = Buffer.alloc((stride + 1) * size);
  for (let row = 0; row < size; row += 1) {
    const at = row * (stride + 1);
    // Each line as its difference from the one above: icons are mostly the same from line to line.
    rows[at] = UP;
    for (let index = 0; index < stride; index += 1) {
      const above = row === 0 ? 0 : (rgba[(row - 1) * stride + index] as number);
      rows[at + 1 + index] = (rgba[row * stride + index] as number) - above;
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/**
 * The picture in a file that {@link encodePng} wrote. Files are compared by it and not by their bytes: the same picture may
 * be compressed otherwise by another version of Node.
 */
export function decodePng(file: Buffer): Picture {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error("not a PNG");
  let size = 0;
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const data = file.subarray(at + 8, at + 8 + length);
    const type = file.toString("latin1", at + 4, at + 8);
    if (type === "IHDR") size = data.readUInt32BE(0);
    if (type === "IDAT") parts.push(data);
    at += length + 12;
  }
  const rows = inflateSync(Buffer.concat(parts));
  const stride = size * BYTES_PER_PIXEL;
  const rgba = new Uint8Array(stride * size);
  for (let row = 0; row < size; row += 1) {
    const at = row * (stride + 1);
    if (rows[at] !== UP) throw new Error("not a PNG of ours");
    for (let index = 0; index < stride; index += 1) {
      const above = row === 0 ? 0 : (rgba[(row - 1) * stride + index] as number);
      rgba[row * stride + index] = (rows[at + 1 + index] as number) + above;
    }
  }
  return { size, rgba };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
