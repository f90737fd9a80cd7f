import { OfferedEmitter } from "../lib/offered.ts";

const bounds = { x: 0, y: 0, width: 1280, height: 800 };
const workArea = { x: 0, y: 24, width: 1280, height: 776 };

/** The one display there is. */
const display = {
  id: 1,
  label: "Stand-in",
  bounds,
  size: { width: bounds.width, height: bounds.height },
  workArea,
  workAreaSize: { width: workArea.width, height: workArea.height },
  scaleFactor: 1,
  rotation: 0,
  internal: true,
};
type Display = typeof display;

/** Electron's `screen`. Specs emit its events: `screen.emit("display-metrics-changed")`. */
class Screen extends OfferedEmitter {
  getPrimaryDisplay(): Display {
    return display;
  }

  getAllDisplays(): Display[] {
    return [display];
  }

  getDisplayMatching(_area: object): Display {
    return display;
  }

  getDisplayNearestPoint(_point: object): Display {
    return display;
  }

  getCursorScreenPoint(): { x: number; y: number } {
    return { x: 640, y: 400 };
  }
}

export const screen: Screen = new Screen();
