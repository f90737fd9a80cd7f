import { IntercomError } from "../../protocol/index.ts";
import type { ArchiveKind, Import, StagedRecord } from "./archive-import.ts";

/** Says what is wrong with which record, e.g. `tasks.3: dependencies: ...`. */
export class RecordFault {
  readonly #path: string;

  constructor(kind: ArchiveKind, staged: StagedRecord<ArchiveKind>) {
    this.#path = `${staged.extended ? "extensions." : ""}${kind}.${staged.position}`;
  }

  error(problem: string): IntercomError {
    return new IntercomError("INVALID_ARGUMENT", `${this.#path}: ${problem}`);
  }

  /** @throws {IntercomError} INVALID_ARGUMENT when the archive does not have the agent */
  agentNo(work: Import, id: string, field: string): number {
    const no = work.agents.get(id);
    if (no === undefined) throw this.error(`${field}: ${id} is not an agent of the archive`);
    return no;
  }
}

/** Walks the records of a kind with what is needed to complain about one. */
export function* each<K extends ArchiveKind>(work: Import, kind: K) {
  for (const staged of work.source.records(kind)) {
    yield { ...staged, fault: new RecordFault(kind, staged as StagedRecord<ArchiveKind>) };
  }
}

export function ms(instant: string): number {
  return Date.parse(instant);
}

export function msOrNull(instant: string | undefined): number | null {
  return instant === undefined ? null : Date.parse(instant);
}

/** Empty text stands for none in the format. */
export function textOrNull(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}
