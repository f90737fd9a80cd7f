import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LINUX_SIZES, trayImage } from "../../main/tray/tray-icons.ts";
import { TRAY_ICONS } from "../../main/tray/tray-model.ts";
import { encodeIco } from "./containers.ts";
import { iconFiles } from "./files.ts";
import { trayDrawing } from "./mark.ts";
import { draw, toSvg } from "./picture.ts";
import { decodePng, encodePng } from "./png.ts";
import { circle, line, type Point, polygon, roundedBox, type Shape, union } from "./shapes.ts";

const resources = join(import.meta.dirname, "../../resources");
const PATIENCE_MS = 60_000;

function isSamePicture(left: Buffer, right: Buffer): boolean {
  return Buffer.from(decodePng(left).rgba).equals(decodePng(right).rgba);
}

describe("the images that ship with the app", () => {
  it("are those the script draws", { timeout: PATIENCE_MS }, () => {
    const files = iconFiles();
    const there = readdirSync(resources, { recursive: true, encoding: "utf8" })
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => files.has(name) || /\.(png|ico|icns|svg)$/.test(name));
    expect(there.sort()).toEqual([...files.keys()].sort());
    for (const [name, drawn] of files) {
      const stored = readFileSync(join(resources, name));
      // How PNG is compressed is up to the version of Node; sizes and pixels are not.
      if (name.endsWith(".png")) expect(isSamePicture(stored, drawn), name).toBe(true);
      else if (name.endsWith(".svg")) expect(stored.toString(), name).toBe(drawn.toString());
      else expect(stored.subarray(0, 4), name).toEqual(drawn.subarray(0, 4));
    }
  });

  it("have one for every state of the tray on every platform", () => {
    for (const icon of TRAY_ICONS) {
      for (const platform of ["darwin", "linux", "win32"] as const) {
        for (const scaleFactor of [1, 1.25, 2, 3, 4]) {
          for (const isBarDark of [true, false]) {
            const { file } = trayImage(resources, icon, { platform, isBarDark, scaleFactor });
            expect(readFileSync(file).length, file).toBeGreaterThan(100);
          }
        }
      }
    }
    expect(LINUX_SIZES).toEqual([...LINUX_SIZES].sort((a, b) => a - b));
  });
});

describe("states of the tray", () => {
  it("differ in shape: by many pixels, whatever their colour", () => {
    const opacity = TRAY_ICONS.map((icon) =>
      draw(trayDrawing(icon, [0, 0, 0]), 16).rgba.filter((_, at) => at % 4 === 3),
    );
    for (const [index, one] of opacity.entries()) {
      for (const other of opacity.slice(index + 1)) {
        const different = one.filter((value, at) => Math.abs(value - (other[at] as number)) > 96).length;
        expect(different).toBeGreaterThanOrEqual(8);
      }
    }
  });
});

describe("drawing", () => {
  const inside = (shape: Shape, points: readonly Point[]): boolean[] => points.map((point) => shape.contains(point));

  it.each([
    ["circle", circle({ x: 5, y: 5 }, 2), { x: 6.9, y: 5 }, { x: 6.9, y: 6.9 }],
    ["rounded box", roundedBox({ left: 0, top: 0, right: 8, bottom: 4 }, 2), { x: 2, y: 0.1 }, { x: 0.1, y: 0.1 }],
    ["line", line({ x: 0, y: 0 }, { x: 4, y: 4 }, 2), { x: 2.5, y: 1.5 }, { x: 4, y: 0 }],
    [
      "polygon",
      polygon([
        { x: 0, y: 0 },
        { x: 4, y: 0 },
        { x: 0, y: 4 },
      ]),
      { x: 1, y: 1 },
      { x: 3, y: 3 },
    ],
  ])("a %s holds what is in it and nothing else", (_, shape, within, without) => {
    expect(inside(shape, [within, without])).toEqual([true, false]);
    expect(inside(union(shape, circle(without, 0.1)), [within, without])).toEqual([true, true]);
  });

  it("covers, erases, and smooths edges", () => {
    const box = roundedBox({ left: 0, top: 0, right: 1.5, bottom: 2 }, 0);
    const hole = roundedBox({ left: 0, top: 0, right: 1, bottom: 1 }, 0);
    const drawing = {
      size: 2,
      layers: [
        { shape: box, fill: [9, 8, 7] as const },
        { shape: hole, fill: "erase" as const },
      ],
    };
    const { rgba } = draw(drawing, 2);
    expect([...rgba]).toEqual([0, 0, 0, 0, 9, 8, 7, 128, 9, 8, 7, 255, 9, 8, 7, 128]);
  });

  it("writes the same shapes as SVG", () => {
    const gradient = { from: [0, 0, 0], to: [255, 255, 255] } as const;
    const svg = toSvg({ size: 4, layers: [{ shape: circle({ x: 2, y: 2 }, 1), fill: gradient }] });
    expect(svg).toContain('<path fill="url(#g0)" d="M1 2a1 1 0 1 1 2 0a1 1 0 1 1 -2 0z"/>');
    expect(svg).toContain('stop-color="#ffffff"');
    expect(() => toSvg(trayDrawing("idle", [0, 0, 0]))).toThrow("erases");
  });

  it("round-trips through PNG, and refuses other files", () => {
    const picture = draw(trayDrawing("down", [1, 2, 3]), 33);
    expect(decodePng(encodePng(picture))).toEqual(picture);
    expect(() => decodePng(Buffer.from("GIF89a  "))).toThrow("not a PNG");
  });

  it("packs several sizes into an icon of Windows, the small ones as plain pixels from the bottom up", () => {
    const corner = {
      size: 16,
      layers: [{ shape: roundedBox({ left: 0, top: 0, right: 1, bottom: 1 }, 0), fill: [1, 2, 3] as const }],
    };
    const ico = encodeIco([draw(corner, 16), draw(corner, 256)]);
    expect([ico.readUInt16LE(2), ico.readUInt16LE(4), ico[6], ico[22]]).toEqual([1, 2, 16, 0]);
    const first = ico.readUInt32LE(18);
    const topLeft = first + 40 + 15 * 16 * 4;
    expect([...ico.subarray(topLeft, topLeft + 8)]).toEqual([3, 2, 1, 255, 0, 0, 0, 0]);
    expect(decodePng(ico.subarray(ico.readUInt32LE(34))).size).toBe(256);
  });
});
