import { readFileSync } from "node:fs";
import { Offered } from "../lib/offered.ts";

interface Representation {
  readonly scaleFactor: number;
  readonly data: Buffer;
}

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Electron's `NativeImage`, over the bytes of PNG files: a picture that is none of those is empty, as one that cannot be
 * decoded is in Electron. */
class NativeImage extends Offered {
  #representations: Representation[];
  #isTemplate = false;

  constructor(data: Buffer, scaleFactor = 1) {
    super();
    this.#representations = isPng(data) ? [{ scaleFactor, data }] : [];
  }

  isEmpty(): boolean {
    return this.#representations.length === 0;
  }

  /** In points: the pixels of the smallest representation divided by its scale factor. */
  getSize(scaleFactor = 1): { width: number; height: number } {
    const found = this.#representations.find((each) => each.scaleFactor === scaleFactor) ?? this.#representations[0];
    if (!found) return { width: 0, height: 0 };
    const { data, scaleFactor: factor } = found;
    return { width: data.readUInt32BE(16) / factor, height: data.readUInt32BE(20) / factor };
  }

  getScaleFactors(): number[] {
    return this.#representations.map(({ scaleFactor }) => scaleFactor);
  }

  addRepresentation(options: { scaleFactor?: number; buffer?: Buffer; dataURL?: string }): void {
    const { scaleFactor = 1, buffer, dataURL } = options;
    const data = buffer ?? (dataURL === undefined ? undefined : bytesOf(dataURL));
    if (data && isPng(data)) this.#representations.push({ scaleFactor, data });
  }

  toPNG(options: { scaleFactor?: number } = {}): Buffer {
    const { scaleFactor = 1 } = options;
    const found = this.#representations.find((each) => each.scaleFactor === scaleFactor) ?? this.#representations[0];
    return Buffer.from(found?.data ?? []);
  }

  toDataURL(options: { scaleFactor?: number } = {}): string {
    return `data:image/png;base64,${this.toPNG(options).toString("base64")}`;
  }

  setTemplateImage(isTemplate: boolean): void {
    this.#isTemplate = isTemplate;
  }

  isTemplateImage(): boolean {
    return this.#isTemplate;
  }
}

function isPng(data: Buffer): boolean {
  return data.length > 24 && data.subarray(0, PNG_START.length).equals(PNG_START);
}

function bytesOf(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");
}

export type HostNativeImage = NativeImage;

class NativeImages extends Offered {
  createEmpty(): NativeImage {
    return new NativeImage(Buffer.alloc(0));
  }

  createFromBuffer(buffer: Buffer, options: { scaleFactor?: number } = {}): NativeImage {
    return new NativeImage(buffer, options.scaleFactor);
  }

  createFromDataURL(dataUrl: string): NativeImage {
    return new NativeImage(bytesOf(dataUrl));
  }

  /** Like Electron, takes `name@2x.png` beside `name.png` as its representation for sharper screens. */
  createFromPath(path: string): NativeImage {
    const data = contentOf(path);
    const image = new NativeImage(data ?? Buffer.alloc(0));
    const sharper = contentOf(path.replace(/(\.[^.]+)$/, "@2x$1"));
    if (data && sharper) image.addRepresentation({ scaleFactor: 2, buffer: sharper });
    if (/Template(@\dx)?\.png$/.test(path)) image.setTemplateImage(true);
    return image;
  }
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Electron's `nativeImage`. */
export const nativeImage: NativeImages = new NativeImages();
