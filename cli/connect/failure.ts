import { backupsOf, type ClientProfile, type ConnectError, type ConnectErrorCode } from "../../connect/index.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";

const EXITS: Readonly<Record<ConnectErrorCode, number>> = {
  BROKEN_FILE: EXIT.failure,
  UNEDITABLE: EXIT.failure,
  UNWRITABLE: EXIT.failure,
  FOREIGN_ENTRY: EXIT.conflict,
  CHANGED_MEANWHILE: EXIT.conflict,
  CHANGED_SINCE: EXIT.conflict,
  NO_BACKUP: EXIT.notFound,
  NOT_OFFERED: EXIT.usage,
};

/** A failure to change a configuration, with what to do about it. */
export function connectFailure(error: ConnectError, { id, name }: ClientProfile, file: string | undefined): CliError {
  const { code, message } = error;
  return new CliError(message, { exitCode: EXITS[code], code, hint: hintFor(code, id, name, file) });
}

function hintFor(code: ConnectErrorCode, id: string, name: string, file: string | undefined): string | undefined {
  const byHand = `or paste what this shows: agent-intercom connect ${id} --print`;
  switch (code) {
    case "BROKEN_FILE":
      return `Nothing was changed. Correct the file, ${byHand}`;
    case "UNEDITABLE":
      return `Nothing was changed. Rearrange the file, ${byHand}`;
    case "UNWRITABLE":
      return `Nothing was changed. See to that, ${byHand}`;
    case "FOREIGN_ENTRY":
      return "Nothing was changed. To act on that entry all the same, add --force; a backup is made.";
    case "CHANGED_MEANWHILE":
      return `Close ${name} and try again.`;
    case "CHANGED_SINCE": {
      const [backup] = file === undefined ? [] : backupsOf(file);
      return `Nothing was changed. To take out only our entry: agent-intercom connect ${id} --remove\nThe backup is ${backup}`;
    }
    case "NO_BACKUP":
      return `To take out our entry: agent-intercom connect ${id} --remove`;
    case "NOT_OFFERED":
      return undefined;
  }
}
