import { ConnectionTransaction } from "../../../daemon/store/sqlite/statements.ts";

type Method = "get" | "all" | "run";

/**
 * Records what the daemon in this process asks of its database: each statement, and how much came back. Two calls that
 * do the same are the same kind of work, so that their times tell nothing apart: which is exact where measuring is not.
 * Call before the daemon starts.
 */
export function watchStatements(): <T>(work: () => Promise<T>) => Promise<{ value: T; statements: string[] }> {
  let record: string[] | undefined;
  const prototype = ConnectionTransaction.prototype as unknown as Record<
    Method,
    (...args: unknown[]) => Promise<unknown>
  >;
  for (const method of ["get", "all", "run"] as const) {
    const original = prototype[method];
    prototype[method] = async function (this: unknown, ...args: unknown[]) {
      const result = await original.apply(this, args);
      record?.push(`${method} ${String(args[0]).replace(/\s+/g, " ").trim()} -> ${amountOf(method, result)}`);
      return result;
    };
  }
  return async (work) => {
    const statements: string[] = [];
    record = statements;
    try {
      return { value: await work(), statements };
    } finally {
      record = undefined;
    }
  };
}

function amountOf(method: Method, result: unknown): string {
  if (method === "run") return `${String(result)} changed`;
  if (method === "all") return `${(result as unknown[]).length} rows`;
  return result === undefined ? "nothing" : "a row";
}
