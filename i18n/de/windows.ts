import type { Texts } from "../catalogue.ts";
import type { windows as english } from "../en/windows.ts";

export const windows: Texts<typeof english> = {
  "windows.answer.title": "Frage an dich",
};
