/** What a person can do about data when no daemon runs on it: examine and restore backups, find faults and repair them. */
export { type DataCheck, type DataFinding, examineData } from "./examine.ts";
export { type RestoreOptions, type RestoreOutcome, restoreBackup } from "./restore.ts";
export { type BackupReport, verifyBackup } from "./verify.ts";
