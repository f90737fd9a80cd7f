import type { Rectangle } from "electron";

export interface Size {
  readonly width: number;
  readonly height: number;
}

const MARGIN = 8;
/** So much of a window must be on a display, for a hand to get hold of it. */
const VISIBLE = { width: 120, height: 40 };

/**
 * Where a small window goes that belongs to the icon in the bar: beside it, within what windows may cover of the display. Where
 * the bar does not say where the icon is, in the upper middle of the display, where eyes are.
 */
export function placeNear(icon: Rectangle | undefined, { width, height }: Size, area: Rectangle): Rectangle {
  if (!icon) {
    const x = area.x + Math.round((area.width - width) / 2);
    const y = area.y + Math.round((area.height - height) / 3);
    return { x, y, width, height };
  }
  const isBarAbove = icon.y + icon.height / 2 < area.y + area.height / 2;
  const x = Math.round(icon.x + icon.width / 2 - width / 2);
  const y = isBarAbove ? icon.y + icon.height + MARGIN : icon.y - height - MARGIN;
  return {
    x: within(x, area.x + MARGIN, area.x + area.width - width - MARGIN),
    y: within(y, area.y + MARGIN, area.y + area.height - height - MARGIN),
    width,
    height,
  };
}

/** Bounds of the last time if they are still on a display, with a size that fits; undefined if they are not. */
export function restored(bounds: Rectangle, areas: readonly Rectangle[]): Rectangle | undefined {
  const area = areas.find((each) => {
    const { width, height } = overlap(bounds, each);
    // The upper edge is what a window is moved by.
    return width >= VISIBLE.width && height >= VISIBLE.height && bounds.y >= each.y - 1;
  });
  if (!area) return undefined;
  return { ...bounds, width: Math.min(bounds.width, area.width), height: Math.min(bounds.height, area.height) };
}

function overlap(a: Rectangle, b: Rectangle): Size {
  return {
    width: Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    height: Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  };
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
