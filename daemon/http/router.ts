import { IntercomError, type Method, type OperationName, operationNames, operationOf } from "../../protocol/index.ts";

/** Which operation a request means, and the values its path carries. */
export interface RouteMatch {
  readonly name: OperationName;
  readonly params: Readonly<Record<string, string>>;
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter?: { readonly name: string; readonly node: Node };
  readonly methods: Map<string, OperationName>;
}

function newNode(): Node {
  return { literals: new Map(), methods: new Map() };
}

/** Finds operations by method and path. Literal segments win over `{parameters}`. */
export class Router {
  readonly #root = newNode();

  constructor(names: readonly OperationName[] = operationNames) {
    for (const name of names) {
      const { path, aliases = [], method } = operationOf(name);
      for (const template of [path, ...aliases]) this.#add(template, method, name);
    }
  }

  #add(template: string, method: Method, name: OperationName): void {
    let node = this.#root;
    for (const segment of template.split("/").slice(1)) {
      const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (parameter !== undefined) {
        node.parameter ??= { name: parameter, node: newNode() };
        node = node.parameter.node;
      } else {
        let next = node.literals.get(segment);
        if (!next) {
          next = newNode();
          node.literals.set(segment, next);
        }
        node = next;
      }
    }
    node.methods.set(method, name);
  }

  /**
   * @param path still percent-encoded
   * @throws {IntercomError} NOT_FOUND, or METHOD_NOT_ALLOWED with `details.allow`
   */
  match(method: string, path: string): RouteMatch {
    const { node, params } = this.#find(path);
    const name = node.methods.get(method);
    if (name === undefined) {
      const allow = [...node.methods.keys()].sort();
      throw new IntercomError("METHOD_NOT_ALLOWED", `Expected ${allow.join(" or ")}`, { allow });
    }
    return { name, params };
  }

  /** What there is at a path, by method. @throws {IntercomError} NOT_FOUND */
  at(path: string): ReadonlyMap<string, OperationName> {
    return this.#find(path).node.methods;
  }

  #find(path: string): { readonly node: Node; readonly params: Record<string, string> } {
    const params: Record<string, string> = {};
    let node: Node | undefined = this.#root;
    for (const segment of path.split("/").slice(1)) {
      const literal: Node | undefined = node.literals.get(segment);
      if (literal) {
        node = literal;
        continue;
      }
      if (!node.parameter || segment === "") throw new IntercomError("NOT_FOUND", "Route not found");
      params[node.parameter.name] = decodeSegment(segment);
      node = node.parameter.node;
    }
    if (node.methods.size === 0) throw new IntercomError("NOT_FOUND", "Route not found");
    return { node, params };
  }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new IntercomError("INVALID_ARGUMENT", "The path is not properly percent-encoded");
  }
}
