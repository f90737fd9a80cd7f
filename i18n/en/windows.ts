/** Titles and menus of windows, and what they ask. */
export const windows = {
  "windows.answer.title": "Question for you",
} as const;
