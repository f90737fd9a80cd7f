import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useTemporaryDirectory } from "../../test/fixtures/temporary-directory.ts";
import { projectFolder, projectScopeId } from "./project-scope.ts";

const path = useTemporaryDirectory();

function folder(...names: string[]): string {
  const made = join(path(...names));
  mkdirSync(made, { recursive: true });
  return made;
}

describe("the scope of a project", () => {
  it("is one for every folder of a repository, and another one for another", () => {
    const [top, deep, other] = [folder("shop"), folder("shop", "src", "deep"), folder("other")];
    for (const each of [top, other]) mkdirSync(join(each, ".git"));
    expect(projectFolder(deep)).toBe(projectFolder(top));
    expect(projectScopeId(deep)).toBe(projectScopeId(top));
    expect(projectScopeId(top)).toMatch(/^shop-[0-9a-f]{8}$/);
    expect(projectScopeId(other)).not.toBe(projectScopeId(top));
  });

  it("is the same by another path to the folder", () => {
    const real = folder("real");
    symlinkSync(real, path("link"));
    expect(projectScopeId(path("link"))).toBe(projectScopeId(real));
  });

  it("has an id whatever the folder is called", () => {
    for (const name of ["ünï cödé", "...", "-x", "a".repeat(200)]) {
      expect(projectScopeId(folder("names", name))).toMatch(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/);
    }
  });
});
