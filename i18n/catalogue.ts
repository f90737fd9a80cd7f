/** The texts of an area in another language: exactly the keys of the English ones. */
export type Texts<English extends Readonly<Record<string, string>>> = { readonly [K in keyof English]: string };
