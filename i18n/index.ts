import { IntlMessageFormat } from "intl-messageformat";
import { de } from "./de/index.ts";
import { en } from "./en/index.ts";

/**
 * Texts for humans in ICU message syntax. An area (a view, the tray) has a file of its own in each language; the compiler
 * insists that they have the same keys, and a test that they take the same values and that each key is used.
 */
export type MessageKey = keyof typeof en;
export type Locale = "en" | "de";
export type MessageValues = Readonly<Record<string, string | number | Date>>;

const catalogues: Readonly<Record<Locale, Readonly<Record<MessageKey, string>>>> = { en, de };

export interface Translator {
  readonly locale: Locale;
  /** The text of `key` with its values put in. */
  (key: MessageKey, values?: MessageValues): string;
}

/** Messages are parsed when they are first needed, once for each language. */
export function translator(locale: Locale): Translator {
  const parsed = new Map<MessageKey, IntlMessageFormat>();
  const translate = (key: MessageKey, values?: MessageValues): string => {
    let message = parsed.get(key);
    if (!message) {
      message = new IntlMessageFormat(catalogues[locale][key], locale, undefined, { ignoreTag: true });
      parsed.set(key, message);
    }
    return String(message.format(values));
  };
  return Object.assign(translate, { locale });
}

/** The first of the wanted languages there is a catalogue for, else English. */
export function localeFor(wanted: readonly string[]): Locale {
  for (const tag of wanted) {
    const [language] = tag.toLowerCase().split("-");
    if (language === "en" || language === "de") return language;
  }
  return "en";
}
