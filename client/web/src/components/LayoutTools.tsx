// The tools of the layout editor: the palette of pieces, the eraser, and the symmetry.
import type { VNode } from "preact";
import type { LayoutPiece, LayoutSpec } from "../../sdk/index.ts";
import { type Cells, countPlaced, type Symmetry } from "../state/layout.ts";
import { SegmentedControl } from "./SegmentedControl.tsx";

const ERASER = "eraser";

interface Props {
  spec: LayoutSpec;
  cells: Cells;
  /** The selected piece; null selects the eraser. */
  piece: LayoutPiece | null;
  symmetry: Symmetry;
  onPiece(piece: LayoutPiece | null): void;
  onSymmetry(symmetry: Symmetry): void;
}

export function LayoutTools({ spec, cells, piece, symmetry, onPiece, onSymmetry }: Props): VNode {
  const left = (each: LayoutPiece): number => each.high - countPlaced(spec, cells, each);
  return (
    <>
      <SegmentedControl
        legend="Piece, and how many are left"
        name="piece"
        value={piece?.symbol ?? ERASER}
        onChange={(symbol) => onPiece(spec.pieces.find((each) => each.symbol === symbol) ?? null)}
        choices={[
          ...spec.pieces.map((each) => ({ value: each.symbol, name: `${label(each)} ${left(each)}` })),
          { value: ERASER, name: "Eraser" },
        ]}
      />
      <SegmentedControl
        legend="Symmetry"
        name="symmetry"
        value={symmetry}
        onChange={(value) => onSymmetry(value as Symmetry)}
        choices={[
          { value: "none", name: "None" },
          { value: "turn", name: "Rotated" },
          { value: "mirror", name: "Mirrored" },
        ]}
      />
    </>
  );
}

const label = ({ name }: LayoutPiece): string => name.charAt(0).toUpperCase() + name.slice(1);
