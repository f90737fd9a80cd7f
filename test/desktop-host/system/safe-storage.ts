import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { Offered } from "../lib/offered.ts";

const VERSION = Buffer.from("v11");
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** There is no keychain: what is written survives a restart and is unreadable at a glance, but it is no secret. */
const key = Buffer.from(hkdfSync("sha256", "stand-in", "", "safeStorage", 32));

let isAvailable = true;

/** Electron's `safeStorage`. */
class SafeStorage extends Offered {
  isEncryptionAvailable(): boolean {
    return isAvailable;
  }

  getSelectedStorageBackend(): "basic_text" | "gnome_libsecret" {
    return isAvailable ? "gnome_libsecret" : "basic_text";
  }

  encryptString(text: string): Buffer {
    if (!isAvailable) throw new Error("Error while encrypting the text provided to safeStorage.encryptString.");
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([VERSION, iv, cipher.getAuthTag(), content]);
  }

  decryptString(data: Buffer): string {
    const iv = data.subarray(VERSION.length, VERSION.length + IV_BYTES);
    const tag = data.subarray(VERSION.length + IV_BYTES, VERSION.length + IV_BYTES + TAG_BYTES);
    const content = data.subarray(VERSION.length + IV_BYTES + TAG_BYTES);
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, iv).setAuthTag(tag);
      return Buffer.concat([decipher.update(content), decipher.final()]).toString("utf8");
    } catch {
      throw new Error("Error while decrypting the ciphertext provided to safeStorage.decryptString.");
    }
  }
}

export const safeStorage: SafeStorage = new SafeStorage();

/** The keychain of the desktop, for specs. */
export const keychainHand = {
  setAvailable(available: boolean): void {
    isAvailable = available;
  },
};
