import { z } from "zod";

const part = z.union([z.string(), z.looseObject({ text: z.string().optional() })]);

/** Text in any of the forms that providers take it; what is no text in it is left out. */
export const content = z
  .union([z.string(), z.array(part), z.null()])
  .transform((value) =>
    typeof value === "string"
      ? value
      : (value ?? []).map((each) => (typeof each === "string" ? each : (each.text ?? ""))).join("\n"),
  );
