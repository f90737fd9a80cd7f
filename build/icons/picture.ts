import type { Point, Shape } from "./shapes.ts";

export type Colour = readonly [red: number, green: number, blue: number];

/** From one end to the other of the picture, corner to corner. */
export interface Gradient {
  readonly from: Colour;
  readonly to: Colour;
}

/** One step of drawing: what is drawn later covers what was drawn before, and `erase` makes holes in it. */
export interface Layer {
  readonly shape: Shape;
  readonly fill: Colour | Gradient | "erase";
}

/** A picture as it was thought of, on a square of `size`. */
export interface Drawing {
  readonly size: number;
  readonly layers: readonly Layer[];
}

/** Four bytes a pixel, the colours not multiplied with the last of them, the opacity. */
export interface Picture {
  readonly size: number;
  readonly rgba: Uint8Array;
}

/** Points looked at in each direction of a pixel: in small pictures every edge counts. */
const SAMPLES = { small: 8, large: 4 };
const LARGE_FROM = 128;

/** Draws with smooth edges. The arithmetic is exact everywhere, so the result is the same on every machine. */
export function draw({ size, layers }: Drawing, pixels: number): Picture {
  const rgba = new Uint8Array(pixels * pixels * 4);
  const scale = size / pixels;
  const isLarge = pixels >= LARGE_FROM;
  const samples = offsets(isLarge ? SAMPLES.large : SAMPLES.small);
  // Nothing in a large picture is smaller than a pixel: where its corners are alike, so is all of it.
  const corners = offsets(2);
  const topmost = (point: Point): Layer | undefined => layers.findLast(({ shape }) => shape.contains(point));
  for (let row = 0; row < pixels; row += 1) {
    for (let column = 0; column < pixels; column += 1) {
      const at = (offset: Point): Point => ({ x: (column + offset.x) * scale, y: (row + offset.y) * scale });
      const first = isLarge ? corners.map((offset) => topmost(at(offset))) : [];
      const isPlain = isLarge && first.every((layer) => layer === first[0]);
      rgba.set(blend((isPlain ? corners : samples).map(at), topmost, size), (row * pixels + column) * 4);
    }
  }
  return { size: pixels, rgba };
}

/** Points spread evenly over a pixel. */
function offsets(each: number): Point[] {
  return Array.from({ length: each * each }, (_, index) => ({
    x: ((index % each) + 0.5) / each,
    y: (Math.floor(index / each) + 0.5) / each,
  }));
}

function blend(points: readonly Point[], topmost: (point: Point) => Layer | undefined, size: number): number[] {
  let covered = 0;
  const sums = [0, 0, 0];
  for (const point of points) {
    const layer = topmost(point);
    if (layer === undefined || layer.fill === "erase") continue;
    covered += 1;
    for (const [channel, value] of colourAt(layer.fill, point, size).entries()) {
      sums[channel] = (sums[channel] as number) + value;
    }
  }
  if (covered === 0) return [0, 0, 0, 0];
  return [...sums.map((sum) => Math.round(sum / covered)), Math.round((covered * 255) / points.length)];
}

function colourAt(fill: Colour | Gradient, { x, y }: Point, size: number): Colour {
  if (!("from" in fill)) return fill;
  const part = (x + y) / (2 * size);
  const mix = (channel: 0 | 1 | 2): number => fill.from[channel] + (fill.to[channel] - fill.from[channel]) * part;
  return [mix(0), mix(1), mix(2)];
}

/** The drawing as SVG. Only for those without `erase` below other layers that should show through. */
export function toSvg({ size, layers }: Drawing): string {
  const gradients: string[] = [];
  const paths = layers.map(({ shape, fill }) => {
    if (fill === "erase") throw new Error("SVG has no layer that erases");
    if (!("from" in fill)) return `  <path fill="${hex(fill)}" d="${shape.path}"/>`;
    const id = `g${gradients.length}`;
    gradients.push(
      `  <linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="${size}" y2="${size}">` +
        `<stop stop-color="${hex(fill.from)}"/><stop offset="1" stop-color="${hex(fill.to)}"/></linearGradient>`,
    );
    return `  <path fill="url(#${id})" d="${shape.path}"/>`;
  });
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">`;
  return [open, ...gradients, ...paths, "</svg>", ""].join("\n");
}

function hex(colour: Colour): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
