/** Why a client's configuration was not changed. */
export type ConnectErrorCode =
  /** The file is not what its format wants; nobody can edit it without guessing. */
  | "BROKEN_FILE"
  /** The file is fine, but written in a way that we do not edit. */
  | "UNEDITABLE"
  /** Something else has our name. */
  | "FOREIGN_ENTRY"
  /** The file changed while we worked. */
  | "CHANGED_MEANWHILE"
  /** Going back would lose changes made since. */
  | "CHANGED_SINCE"
  | "NO_BACKUP"
  /** This client cannot do what was asked for. */
  | "NOT_OFFERED"
  | "UNWRITABLE";

/** The only error that functions of this folder throw on purpose. The message is for people. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
  readonly code: ConnectErrorCode;

  constructor(code: ConnectErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
