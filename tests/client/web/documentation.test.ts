import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "../../../client/web/node_modules/typescript/lib/typescript.js";

const ENTRY = join(dirname(fileURLToPath(import.meta.url)), "../../../client/web/sdk/index.ts");

test("everything that the SDK exports is documented", () => {
  const program = ts.createProgram([ENTRY], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const isDocumented = (symbol: ts.Symbol): boolean => symbol.getDocumentationComment(checker).length > 0;
  const isPublic = (symbol: ts.Symbol): boolean =>
    (symbol.declarations ?? []).every(
      (each) =>
        !(ts.isClassElement(each) && each.name !== undefined && ts.isPrivateIdentifier(each.name)) &&
        !(ts.getCombinedModifierFlags(each) & ts.ModifierFlags.Private),
    );

  const module = checker.getSymbolAtLocation(program.getSourceFile(ENTRY)!)!;
  const exported = checker
    .getExportsOfModule(module)
    .map((each) => (each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each));
  const classes = exported.filter((each) => each.flags & ts.SymbolFlags.Class);
  const members = classes.flatMap((each) =>
    [...(each.members?.values() ?? []), ...(each.exports?.values() ?? [])]
      .filter((member) => member.name !== "prototype" && isPublic(member))
      .map((member): [string, ts.Symbol] => [`${each.name}.${member.name}`, member]),
  );
  const all: [string, ts.Symbol][] = [...exported.map((each): [string, ts.Symbol] => [each.name, each]), ...members];

  assert.ok(classes.length >= 5);
  assert.deepEqual(
    all.filter(([, each]) => !isDocumented(each)).map(([name]) => name),
    [],
  );
});
