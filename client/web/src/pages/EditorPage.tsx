// Draw a Mapello board by clicks, have it checked, keep it, and play on it.
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Offered } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import { announce } from "../parts/announce.ts";
import { Absent, Frame } from "../parts/Frame.tsx";
import { NewTable } from "../parts/NewTable.tsx";
import { Segments } from "../parts/Segments.tsx";
import { useAnswer } from "../state/answer.ts";
import {
  BARE,
  type Cells,
  cellsFrom,
  cellsOf,
  countOf,
  mayHold,
  MOST,
  put,
  rowsOf,
  sceneOf,
  SIDE,
  type Symmetry,
  type Thing,
} from "../state/drawing.ts";
import { discard, keep, layouts } from "../state/layouts.ts";
import { call } from "../state/parlour.ts";
import { useSignal } from "../state/signal.ts";
import { choose } from "../state/wish.ts";

const GAME = "mapello";
const TOOLS: readonly { thing: Thing; name: string; verb: string }[] = [
  { thing: "#", name: "Wall", verb: "wall" },
  { thing: "*", name: "Bonus", verb: "bonus" },
  { thing: "J", name: "Joker", verb: "joker" },
  { thing: ".", name: "Eraser", verb: "clear" },
];

export function EditorPage(): VNode {
  const kept = useSignal(layouts);
  const [cells, setCells] = useState<Cells>(() => cellsOf(kept[0]?.rows ?? "") ?? BARE);
  const [thing, setThing] = useState<Thing>("#");
  const [symmetry, setSymmetry] = useState<Symmetry>("turn");
  const [name, setName] = useState(kept[0]?.name ?? "My board");
  const [playing, setPlaying] = useState(false);
  const rows = rowsOf(cells);
  const { answer, refused } = useAnswer({ t: "preview", terms: { game: GAME, options: { board: rows } } });
  const board = useAnswer({ t: "preview", terms: { game: GAME } }).answer?.board;
  const tool = TOOLS.find((each) => each.thing === thing)!;
  const left = (of: Thing): number => MOST - countOf(cells, of);
  const picks = useMemo(
    () =>
      Array.from({ length: SIDE * SIDE }, (_, place) => place)
        .filter((place) => mayHold(place, thing))
        .map((place): Offered => ({ place, label: tool.verb, kind: "", cell: null, then: null, more: false })),
    [thing],
  );
  const paint = (place: number): void => {
    const next = put(cells, place, thing, symmetry);
    if (next === cells) announce(`All ${MOST} are on the board.`);
    setCells(next);
  };
  const random = async (): Promise<void> => {
    const drawn = await call({
      t: "preview",
      terms: { game: GAME, options: { board: "random", seed: Math.floor(Math.random() * 2 ** 31) } },
    });
    setCells(cellsFrom(drawn.scene, drawn.board));
  };
  const usual = async (): Promise<void> => {
    const drawn = await call({ t: "preview", terms: { game: GAME } });
    setCells(cellsFrom(drawn.scene, drawn.board));
  };
  if (!board)
    return (
      <Frame title="Board editor">
        <h1>Board editor</h1>
        <Absent refused={refused} />
      </Frame>
    );
  return (
    <Frame title="Board editor" kind="editor">
      <h1>Draw a Mapello board</h1>
      <div class="stage">
        <Board
          board={board}
          scene={sceneOf(cells, board)}
          label={`The board. A press puts: ${tool.name}.`}
          play={{
            picks,
            quiet: true,
            chosen: [],
            onPick: paint,
            onBack: () => undefined,
            onMiss: () => announce(`No ${tool.verb} can be there.`),
            onHover: () => undefined,
          }}
        />
      </div>
      <div class="column">
        <Segments
          legend="Put"
          name="tool"
          value={thing}
          onChange={(value) => setThing(value as Thing)}
          choices={TOOLS.map(({ thing, name }) => ({
            value: thing,
            name: thing === "." ? name : `${name} ${left(thing)}`,
          }))}
        />
        <Segments
          legend="Both sides alike"
          name="symmetry"
          value={symmetry}
          onChange={(value) => setSymmetry(value as Symmetry)}
          choices={[
            { value: "none", name: "No" },
            { value: "turn", name: "Turned" },
            { value: "mirror", name: "Mirrored" },
          ]}
        />
        <p class={refused ? "refused" : "muted"} role="status">
          {refused || `The board can be played. Numbers say how many of ${MOST} are left.`}
        </p>
        <div class="row-of">
          <button type="button" class="button" onClick={() => void random()}>
            Random
          </button>
          <button type="button" class="button" onClick={() => void usual()}>
            The usual map
          </button>
          <button type="button" class="button" onClick={() => setCells(BARE)}>
            Clear
          </button>
        </div>
        <label class="field">
          <span>As text, which can be sent to others</span>
          <textarea
            rows={SIDE}
            cols={SIDE + 4}
            spellcheck={false}
            value={rows.replaceAll("/", "\n")}
            onChange={(event) => setCells(cellsOf(event.currentTarget.value) ?? cells)}
          />
        </label>
        <form
          class="row-of"
          onSubmit={(event) => {
            event.preventDefault();
            keep({ name: name.trim() || "My board", rows });
          }}
        >
          <label class="field wide">
            <span>Name</span>
            <input type="text" maxLength={24} value={name} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <button type="submit" class="button at-end" disabled={!answer}>
            Keep
          </button>
        </form>
        {kept.length > 0 && (
          <ul class="card rows">
            {kept.map((layout) => (
              <li key={layout.name}>
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    setCells(cellsOf(layout.rows) ?? BARE);
                    setName(layout.name);
                  }}
                >
                  {layout.name}
                </button>
                <button
                  type="button"
                  class="link"
                  aria-label={`Throw away ${layout.name}`}
                  onClick={() => discard(layout.name)}
                >
                  Throw away
                </button>
              </li>
            ))}
          </ul>
        )}
        <button
          type="button"
          class="button primary big"
          disabled={!answer}
          onClick={() => {
            choose({ game: GAME });
            setPlaying(true);
          }}
        >
          Play on this board
        </button>
      </div>
      {playing && <NewTable options={{ board: rows }} onClose={() => setPlaying(false)} />}
    </Frame>
  );
}
