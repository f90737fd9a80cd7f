import { redactFields, redactText } from "./redact.ts";

/** From least to most important. `silent` writes nothing. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
type RecordLevel = Exclude<LogLevel, "silent">;

/** Fields are redacted before anything is written; see `redact.ts`. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
  /** A logger whose records carry `fields` too. */
  child(fields: Record<string, unknown>): Logger;
}

/** One redacted log entry. */
export interface LogRecord {
  readonly time: string;
  readonly level: RecordLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Takes finished records. Must not throw: a log that fails must not take the work down with it. */
export interface LogSink {
  write(record: LogRecord): void;
  close?(): void;
}

export interface LoggerOptions {
  readonly level?: LogLevel | undefined;
  readonly sinks: readonly LogSink[];
  readonly now?: (() => number) | undefined;
  readonly fields?: Record<string, unknown> | undefined;
}

/** The level named by `AGENT_INTERCOM_LOG`; `info` when it is unset or unknown. */
export function logLevelFrom(env: NodeJS.ProcessEnv, fallback: LogLevel = "info"): LogLevel {
  const wanted = env.AGENT_INTERCOM_LOG?.trim().toLowerCase();
  return LOG_LEVELS.find((level) => level === wanted) ?? fallback;
}

export function createLogger(options: LoggerOptions): Logger {
  const threshold = LOG_LEVELS.indexOf(options.level ?? "info");
  const now = options.now ?? Date.now;

  const build = (bindings: Readonly<Record<string, unknown>>): Logger => {
    const at = (level: RecordLevel) => {
      if (LOG_LEVELS.indexOf(level) < threshold) return () => {};
      return (message: string, fields?: Record<string, unknown>): void => {
        const record: LogRecord = {
          time: new Date(now()).toISOString(),
          level,
          message: redactText(message),
          fields: fields ? { ...bindings, ...redactFields(fields) } : bindings,
        };
        for (const sink of options.sinks) sink.write(record);
      };
    };
    return {
      debug: at("debug"),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
      child: (fields) => build({ ...bindings, ...redactFields(fields) }),
    };
  };
  return build(redactFields(options.fields ?? {}));
}

/** Swallows everything. */
export const silentLogger: Logger = createLogger({ level: "silent", sinks: [] });
