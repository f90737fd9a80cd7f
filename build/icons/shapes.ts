// Shapes of the icons. Each says which points it holds, to be drawn, and how it is written in SVG.

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Shape {
  contains(point: Point): boolean;
  /** Its outline as the `d` of an SVG path. */
  readonly path: string;
}

/** Numbers as SVG takes them, without noise of the arithmetic. */
function n(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

export function circle({ x, y }: Point, radius: number): Shape {
  const arc = `a${n(radius)} ${n(radius)} 0 1 1`;
  return {
    contains: (point) => (point.x - x) ** 2 + (point.y - y) ** 2 <= radius ** 2,
    path: `M${n(x - radius)} ${n(y)}${arc} ${n(radius * 2)} 0${arc} ${n(-radius * 2)} 0z`,
  };
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export function roundedBox({ left, top, right, bottom }: Box, radius: number): Shape {
  const corner = `a${n(radius)} ${n(radius)} 0 0 1`;
  const [width, height] = [right - left - 2 * radius, bottom - top - 2 * radius];
  return {
    contains: ({ x, y }) => {
      if (x < left || x > right || y < top || y > bottom) return false;
      const dx = Math.max(left + radius - x, x - (right - radius), 0);
      const dy = Math.max(top + radius - y, y - (bottom - radius), 0);
      return dx ** 2 + dy ** 2 <= radius ** 2;
    },
    path:
      `M${n(left + radius)} ${n(top)}h${n(width)}${corner} ${n(radius)} ${n(radius)}v${n(height)}` +
      `${corner} ${n(-radius)} ${n(radius)}h${n(-width)}${corner} ${n(-radius)} ${n(-radius)}v${n(-height)}` +
      `${corner} ${n(radius)} ${n(-radius)}z`,
  };
}

/** A line as wide as a pen, with round ends. */
export function line(from: Point, to: Point, width: number): Shape {
  const radius = width / 2;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const squared = dx ** 2 + dy ** 2;
  const length = Math.sqrt(squared);
  const [sideX, sideY] = [(-dy / length) * radius, (dx / length) * radius];
  const end = `a${n(radius)} ${n(radius)} 0 0 0`;
  return {
    contains: ({ x, y }) => {
      const along = Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / squared));
      return (x - from.x - along * dx) ** 2 + (y - from.y - along * dy) ** 2 <= radius ** 2;
    },
    path:
      `M${n(from.x + sideX)} ${n(from.y + sideY)}l${n(dx)} ${n(dy)}${end} ${n(-2 * sideX)} ${n(-2 * sideY)}` +
      `l${n(-dx)} ${n(-dy)}${end} ${n(2 * sideX)} ${n(2 * sideY)}z`,
  };
}

/** Convex, its corners clockwise. */
export function polygon(corners: readonly Point[]): Shape {
  return {
    contains: ({ x, y }) =>
      corners.every((a, index) => {
        const b = corners[(index + 1) % corners.length] as Point;
        return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) >= 0;
      }),
    path: `M${corners.map(({ x, y }) => `${n(x)} ${n(y)}`).join("L")}z`,
  };
}

/** What is in any of them. */
export function union(...shapes: readonly Shape[]): Shape {
  return {
    contains: (point) => shapes.some((shape) => shape.contains(point)),
    path: shapes.map(({ path }) => path).join(""),
  };
}
