import type { Picture } from "./picture.ts";
import { encodePng } from "./png.ts";

/** From here on a picture is stored as PNG; older readers of small ones expect plain pixels. */
const ICO_PNG_FROM = 256;
const BITMAP_HEADER_BYTES = 40;

/** An icon of Windows with a picture for each size. */
export function encodeIco(pictures: readonly Picture[]): Buffer {
  const images = pictures.map((picture) => (picture.size >= ICO_PNG_FROM ? encodePng(picture) : bitmap(picture)));
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { size }] of pictures.entries()) {
    const at = 6 + 16 * index;
    const { length } = images[index] as Buffer;
    // 256 is written as 0.
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += length;
  }
  return Buffer.concat([head, ...images]);
}

/** Pixels from the bottom up, in the order blue, green, red, opacity; after them a mask that is not looked at. */
function bitmap({ size, rgba }: Picture): Buffer {
  const maskStride = Math.ceil(size / 32) * 4;
  const data = Buffer.alloc(BITMAP_HEADER_BYTES + size * size * 4 + maskStride * size);
  data.writeUInt32LE(BITMAP_HEADER_BYTES, 0);
  data.writeInt32LE(size, 4);
  // Twice, because the mask counts.
  data.writeInt32LE(size * 2, 8);
  data.writeUInt16LE(1, 12);
  data.writeUInt16LE(32, 14);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const from = (row * size + column) * 4;
      const [red, green, blue, opacity] = rgba.subarray(from, from + 4);
      data.set(
        [blue, green, red, opacity].map((value) => value ?? 0),
        BITMAP_HEADER_BYTES + ((size - 1 - row) * size + column) * 4,
      );
    }
  }
  return data;
}

/** Names the format gives to sizes in pixels. Those of dense displays have their own, although the pixels are the same. */
const ICNS_TYPES: readonly (readonly [type: string, size: number])[] = [
  ["icp4", 16],
  ["icp5", 32],
  ["ic11", 32],
  ["ic12", 64],
  ["ic07", 128],
  ["ic13", 256],
  ["ic08", 256],
  ["ic14", 512],
  ["ic09", 512],
  ["ic10", 1024],
];

/** An icon of macOS. */
export function encodeIcns(pictureOf: (size: number) => Picture): Buffer {
  const entries = ICNS_TYPES.map(([type, size]) => entry(type, encodePng(pictureOf(size))));
  return entry("icns", Buffer.concat(entries));
}

function entry(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, "latin1");
  head.writeUInt32BE(data.length + head.length, 4);
  return Buffer.concat([head, data]);
}
