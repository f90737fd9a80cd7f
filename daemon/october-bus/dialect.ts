import { operationOf } from "../../protocol/index.ts";
import type { Dialect } from "../http/index.ts";
import { OCTOBER_BUS } from "./identity.ts";
import { adaptFields, withoutEmpty } from "./inputs.ts";
import { project } from "./results.ts";

/** Speaks as October Bus 0.1 does: its identity, its leniency with inputs, and its shapes of results. */
export const octoberBusDialect: Dialect = {
  name: OCTOBER_BUS.name,
  sharedQuestions: true,
  resultsAsInTable: false,
  toolSets: ["bus"],
  adaptInput: (name, input) => adaptFields(name, withoutEmpty(operationOf(name).input, input)),
  adaptArguments: withoutEmpty,
  adaptResult: project,
};
