// The board of a position that is set up by hand: an item of the palette is put where the board is pressed.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PositionEdited } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import { gameName } from "../state/server.ts";
import type { Change } from "../state/positionSetup.ts";
import { Zone } from "./Tray.tsx";

interface Props {
  game: string;
  shown: PositionEdited;
  /** The item of the palette. */
  item: number;
  onChange(change: Change): void;
}

export function SetupBoard({ game, shown, item, onChange }: Props): VNode {
  const { board, scene, palette = [], slots = [] } = shown;
  const [chosen, setChosen] = useState<readonly number[]>([]); // the first end of an item that takes two cells
  useEffect(() => setChosen([]), [item, shown]);
  const tool = palette[item];
  const title = `${gameName(game)} board`;
  if (!tool) return <Board board={board} scene={scene} label={title} />;
  const { places: needed = 1, name } = tool;
  const put = (place: number): void => {
    const places = [...chosen, place];
    setChosen(places.length < needed ? places : []);
    if (places.length >= needed) onChange({ item, places });
  };
  const next = chosen.length ? `${name}: choose its other end.` : `${name}: choose one end, then the other.`;
  return (
    <>
      <Board
        board={board}
        scene={scene}
        label={`${title}. Selected: ${name}.`}
        play={{
          picks: [], // every cell takes a piece, so none is marked, and Tab leaves the board at once
          chosen,
          onPick: put,
          onBack: () => setChosen([]),
          onMiss: put,
          onHover: () => undefined,
        }}
      />
      {needed > 1 && (
        <p class="muted" role="status">
          {next}
        </p>
      )}
      <div class="set-up-zones">
        {board.seats.map((seat, n) => (
          <Zone
            key={seat.name}
            board={board}
            scene={scene}
            seat={n}
            owner={`${seat.name}’s`}
            chosen={[]}
            picks={slots.map((place) => ({ place, label: "", kind: "", cell: null, then: null, more: false }))}
            onPick={(place) => onChange({ item, places: [place] })}
            onBack={() => undefined}
          />
        ))}
      </div>
    </>
  );
}
