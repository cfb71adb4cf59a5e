// The moves of a study as a tree: the main line, and each variation indented below the move that it replaces.
import type { VNode } from "preact";
import type { Branch } from "../state/variations.ts";

interface Props {
  tree: readonly Branch[];
  /** The moves that lead to the position that is shown. */
  line: readonly string[];
  onSelect(line: readonly string[]): void;
}

export function VariationTree({ tree, line, onSelect }: Props): VNode {
  return (
    <div class="variations" role="group" aria-label="Moves and variations">
      {tree.length ? (
        <Continuation branches={tree} before={[]} line={line} onSelect={onSelect} />
      ) : (
        <p class="muted">Play a move on the board, for either side.</p>
      )}
    </div>
  );
}

interface ContinuationProps {
  branches: readonly Branch[];
  before: readonly string[];
  line: readonly string[];
  onSelect(line: readonly string[]): void;
}

/** The main continuation up to where it branches, the variations there, and the rest. */
function Continuation({ branches, before, line, onSelect }: ContinuationProps): VNode {
  const shown: VNode[] = [];
  let [next, path]: [readonly Branch[], readonly string[]] = [branches, before];
  while (next.length) {
    const [main, ...others] = next as [Branch, ...Branch[]];
    const here = path;
    shown.push(
      <Move branch={main} before={here} line={line} onSelect={onSelect} key={`${here.length} ${main.move}`} />,
    );
    if (others.length)
      shown.push(
        <ul key={`${here.length} variations`}>
          {others.map((other) => (
            <li key={other.move}>
              <Move branch={other} before={here} line={line} onSelect={onSelect} />
              <Continuation branches={other.next} before={[...here, other.move]} line={line} onSelect={onSelect} />
            </li>
          ))}
        </ul>,
      );
    path = [...path, main.move];
    next = main.next;
  }
  return <>{shown}</>;
}

interface MoveProps {
  branch: Branch;
  before: readonly string[];
  line: readonly string[];
  onSelect(line: readonly string[]): void;
}

function Move({ branch, before, line, onSelect }: MoveProps): VNode {
  const path = [...before, branch.move];
  const isShown = String(path) === String(line);
  return (
    <button type="button" aria-current={isShown ? "true" : undefined} onClick={() => onSelect(path)}>
      <i>{path.length}</i>
      {branch.move}
    </button>
  );
}
