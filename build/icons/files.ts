import { LINUX_SIZES } from "../../main/tray/tray-icons.ts";
import { TRAY_ICONS, type TrayIcon } from "../../main/tray/tray-model.ts";
import { encodeIcns, encodeIco } from "./containers.ts";
import { appDrawing, overlayDrawing, trayDrawing } from "./mark.ts";
import { type Colour, draw, type Picture, toSvg } from "./picture.ts";
import { encodePng } from "./png.ts";

const BLACK: Colour = [0, 0, 0];
const ON_DARK: Colour = [255, 255, 255];
const ON_LIGHT: Colour = [31, 31, 31];
/** Bars of Linux are light or dark, and do not say which: these are told from both. */
const ON_EITHER: Readonly<Record<TrayIcon, Colour>> = {
  idle: [129, 140, 248],
  working: [129, 140, 248],
  "needs-you": [245, 158, 11],
  paused: [148, 152, 168],
  down: [239, 68, 68],
};

const WINDOWS_TRAY_SIZES = [16, 20, 24, 32, 40, 48];
const WINDOWS_APP_SIZES = [16, 24, 32, 48, 64, 128, 256];
const LINUX_APP_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];

/** Every image that ships with the app, by its path in `resources/`. */
export function iconFiles(): Map<string, Buffer> {
  return new Map([...trayFiles(), ...appFiles()]);
}

function* trayFiles(): Generator<[string, Buffer]> {
  yield ["tray/win32/overlay.png", encodePng(draw(overlayDrawing(), 32))];
  for (const icon of TRAY_ICONS) {
    const picture = (colour: Colour, size: number): Picture => draw(trayDrawing(icon, colour), size);
    yield [`tray/darwin/${icon}Template.png`, encodePng(picture(BLACK, 16))];
    yield [`tray/darwin/${icon}Template@2x.png`, encodePng(picture(BLACK, 32))];
    for (const [bar, colour] of [["dark", ON_DARK] as const, ["light", ON_LIGHT] as const]) {
      yield [`tray/win32/${icon}-${bar}.ico`, encodeIco(WINDOWS_TRAY_SIZES.map((size) => picture(colour, size)))];
    }
    for (const size of LINUX_SIZES) {
      yield [`tray/linux/${icon}-${size}.png`, encodePng(picture(ON_EITHER[icon], size))];
    }
  }
}

function* appFiles(): Generator<[string, Buffer]> {
  const drawing = appDrawing();
  const drawn = new Map<number, Picture>();
  const picture = (size: number): Picture => {
    const known = drawn.get(size) ?? draw(drawing, size);
    drawn.set(size, known);
    return known;
  };
  yield ["icon.svg", Buffer.from(toSvg(drawing))];
  yield ["icon.png", encodePng(picture(1024))];
  yield ["icon.ico", encodeIco(WINDOWS_APP_SIZES.map(picture))];
  yield ["icon.icns", encodeIcns(picture)];
  for (const size of LINUX_APP_SIZES) yield [`icons/${size}x${size}.png`, encodePng(picture(size))];
}
