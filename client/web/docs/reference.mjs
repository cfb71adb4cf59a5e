// Prints every name that the SDK exports, with its signature and its comment, as JSON by group. Run by
// docs/website/sdk_pages.py.
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const SDK = join(dirname(dirname(fileURLToPath(import.meta.url))), "sdk");
const GROUPS = {
  connection: "Connection",
  replica: "Rooms",
  turn: "Turns",
  scene: "Scenes",
  clock: "Clocks",
  refusal: "Refusals",
  session: "Sessions",
  timing: "Timing",
};

const options = { allowImportingTsExtensions: true, noEmit: true, strict: true, target: ts.ScriptTarget.ES2022 };
const program = ts.createProgram([join(SDK, "index.ts")], {
  ...options,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
});
const checker = program.getTypeChecker();
const index = checker.getSymbolAtLocation(program.getSourceFile(join(SDK, "index.ts")));

const about = (symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
const isPublic = (node) =>
  !(ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected));

/** The text of a declaration without its body. */
function signature(node) {
  const source = node.getSourceFile();
  const end = node.body ? node.body.getStart(source) : node.end;
  return source.text
    .slice(node.getStart(source), end)
    .replace(/^export /, "")
    .trim()
    .replace(/;$/, "");
}

function members(node) {
  return node.members
    .filter((member) => isPublic(member) && member.name && !ts.isPrivateIdentifier(member.name))
    .map((member) => {
      const symbol = checker.getSymbolAtLocation(member.name);
      return {
        name: member.name.getText(),
        signature: signature(member).replace(/ = [^=>]*$/, ""),
        about: about(symbol),
      };
    });
}

/** The head of a class: everything before its members. */
function head(node) {
  const source = node.getSourceFile();
  const constructor = node.members.find((member) => ts.isConstructorDeclaration(member));
  const start = source.text.slice(node.getStart(source), node.members.pos - 1).replace(/^export /, "");
  return start.trim() + (constructor ? ` {\n  ${signature(constructor)}\n}` : "");
}

const found = Object.fromEntries(Object.values(GROUPS).map((group) => [group, []]));
for (const exported of checker.getExportsOfModule(index)) {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const node = symbol.declarations[0];
  const group = GROUPS[basename(node.getSourceFile().fileName, ".ts")];
  if (!group) continue; // messages: they are in the protocol's reference
  const entry = { name: exported.name, about: about(symbol) };
  if (ts.isClassDeclaration(node)) Object.assign(entry, { signature: head(node), members: members(node) });
  else if (ts.isVariableDeclaration(node))
    entry.signature = `const ${node.name.getText()}: ${checker.typeToString(checker.getTypeAtLocation(node))}`;
  else entry.signature = signature(node);
  found[group].push(entry);
}
process.stdout.write(JSON.stringify(found));
