/** What the listener says it is. */
export const OCTOBER_BUS = {
  name: "october-bus",
  protocolVersion: "0.1",
  features: ["session-retirement"],
} as const;
