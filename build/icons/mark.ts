import type { TrayIcon } from "../../main/tray/tray-model.ts";
import type { Colour, Drawing, Layer } from "./picture.ts";
import { type Box, circle, line, type Point, polygon, roundedBox, type Shape, union } from "./shapes.ts";

// The mark: two speech bubbles that overlap, each with its tail on its own side. Two talk, and they meet.

interface Bubble {
  readonly box: Box;
  readonly radius: number;
  /** Corners of the tail, clockwise. */
  readonly tail: readonly Point[];
}

function bubble({ box, radius, tail }: Bubble): Shape {
  return union(roundedBox(box, radius), polygon(tail));
}

function grown({ box, radius, tail }: Bubble, by: number): Shape {
  const { left, top, right, bottom } = box;
  const middle: Point = {
    x: tail.reduce((sum, { x }) => sum + x, 0) / tail.length,
    y: tail.reduce((sum, { y }) => sum + y, 0) / tail.length,
  };
  const longest = Math.max(...tail.map(({ x, y }) => Math.sqrt((x - middle.x) ** 2 + (y - middle.y) ** 2)));
  const factor = 1 + (by * 1.6) / longest;
  return union(
    roundedBox({ left: left - by, top: top - by, right: right + by, bottom: bottom + by }, radius + by),
    polygon(tail.map(({ x, y }) => ({ x: middle.x + (x - middle.x) * factor, y: middle.y + (y - middle.y) * factor }))),
  );
}

// On a square of 16, which is the smallest size there is: edges lie between pixels there.
const BACK: Bubble = {
  box: { left: 0, top: 1, right: 11, bottom: 9 },
  radius: 2.5,
  tail: [
    { x: 1.5, y: 7 },
    { x: 5, y: 8 },
    { x: 1.5, y: 12 },
  ],
};
const FRONT: Bubble = {
  box: { left: 4, top: 5, right: 16, bottom: 13 },
  radius: 2.5,
  tail: [
    { x: 11, y: 12 },
    { x: 14.5, y: 11 },
    { x: 14.5, y: 16 },
  ],
};
const STROKE = 1;
const GAP = 1;

/** Shapes of a state on a square of 16. All of them have the same outline, so that the icon does not jump. */
export function trayDrawing(icon: TrayIcon, colour: Colour): Drawing {
  const solid = (shape: Shape): Layer => ({ shape, fill: colour });
  const hole = (shape: Shape): Layer => ({ shape, fill: "erase" });
  const inner = roundedBox(shrunk(FRONT.box, STROKE), FRONT.radius - STROKE);
  const back = [solid(bubble(BACK)), hole(grown(FRONT, GAP))];
  const filled = [...back, solid(bubble(FRONT))];
  const hollow = [...filled, hole(inner)];
  switch (icon) {
    case "idle":
      return { size: 16, layers: hollow };
    case "working":
      return { size: 16, layers: [...filled, ...[6, 9, 12].map((left) => hole(spot({ x: left, y: 8 }, 2)))] };
    case "needs-you":
      return { size: 16, layers: [...filled, hole(spot({ x: 9, y: 6 }, 3.6)), hole(spot({ x: 9, y: 10.2 }, 1.9))] };
    case "paused":
      return { size: 16, layers: [...hollow, ...[7, 11].map((left) => solid(spot({ x: left, y: 7 }, 4)))] };
    case "down": {
      const [from, to] = [
        { x: 1.5, y: 15 },
        { x: 14.5, y: 1 },
      ];
      return { size: 16, layers: [...hollow, hole(line(from, to, 3.4)), solid(line(from, to, 1.4))] };
    }
  }
}

/** A small upright box whose sides lie between pixels. */
function spot({ x, y }: Point, height: number): Shape {
  return roundedBox({ left: x, top: y, right: x + 2, bottom: y + height }, 0.8);
}

function shrunk({ left, top, right, bottom }: Box, by: number): Box {
  return { left: left + by, top: top + by, right: right - by, bottom: bottom - by };
}

const WHITE: Colour = [255, 255, 255];

/** What lies over the button of a window on Windows when a question waits. */
export function overlayDrawing(): Drawing {
  const white = (shape: Shape): Layer => ({ shape, fill: WHITE });
  return {
    size: 16,
    layers: [
      { shape: circle({ x: 8, y: 8 }, 8), fill: [220, 38, 38] },
      white(spot({ x: 7, y: 3 }, 6)),
      white(spot({ x: 7, y: 10.6 }, 2)),
    ],
  };
}

/** The app's own icon on a square of 512: the mark on a tile, with air around it as other icons have. */
export function appDrawing(): Drawing {
  const tile = roundedBox({ left: 32, top: 32, right: 480, bottom: 480 }, 104);
  const gradient = { from: [99, 102, 241], to: [13, 148, 136] } as const;
  const back: Bubble = {
    box: { left: 100, top: 120, right: 330, bottom: 284 },
    radius: 52,
    tail: [
      { x: 136, y: 236 },
      { x: 216, y: 268 },
      { x: 136, y: 344 },
    ],
  };
  const front: Bubble = {
    box: { left: 182, top: 204, right: 412, bottom: 368 },
    radius: 52,
    tail: [
      { x: 296, y: 352 },
      { x: 376, y: 320 },
      { x: 376, y: 428 },
    ],
  };
  const dot = (x: number): Layer => ({ shape: circle({ x, y: 286 }, 20), fill: gradient });
  return {
    size: 512,
    layers: [
      { shape: tile, fill: gradient },
      { shape: bubble(back), fill: [199, 210, 254] },
      { shape: grown(front, 16), fill: gradient },
      { shape: bubble(front), fill: WHITE },
      ...[237, 297, 357].map(dot),
    ],
  };
}
