// The layout editor: place pieces on the board of any game that has a layout option, save the result and play on it.
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { BoardSpec, GameCard, LayoutPiece, LayoutSpec, Offered, OptionSpec } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import { ErrorMessage } from "../components/ErrorMessage.tsx";
import { LayoutTools } from "../components/LayoutTools.tsx";
import { NewTableDialog } from "../components/NewTableDialog.tsx";
import { PageLayout, Placeholder } from "../components/PageLayout.tsx";
import { SavedLayoutList } from "../components/SavedLayoutList.tsx";
import { announce } from "../state/announcements.ts";
import {
  allowedCells,
  blankCells,
  type Cells,
  cellsFromScene,
  formatLayout,
  layoutScene,
  parseLayout,
  place,
  type Symmetry,
} from "../state/layout.ts";
import { changePreferences } from "../state/preferences.ts";
import { useRequest } from "../state/request.ts";
import { layoutsFor, savedLayouts } from "../state/savedLayouts.ts";
import { call, games } from "../state/server.ts";
import { NO_GAME, studyPath } from "../state/study.ts";
import { useSignal } from "../state/signal.ts";

type LayoutOption = OptionSpec & { layout: LayoutSpec };

interface Editable {
  card: GameCard;
  option: LayoutOption;
}

/** Every layout option of every game. */
function editableOptions(cards: readonly GameCard[]): Editable[] {
  return cards.flatMap((card) =>
    card.options.flatMap((option) => (option.layout ? [{ card, option: option as LayoutOption }] : [])),
  );
}

/** Without a game, the first one that has a layout option. */
export function EditorPage({ game, option }: { game: string; option: string }): VNode {
  const cards = useSignal(games);
  const all = editableOptions(cards);
  const found = all.find(({ card, option: { key } }) => (!game || card.key === game) && (!option || key === option));
  const { answer, error } = useRequest(found ? { t: "preview", terms: { game: found.card.key } } : null);
  const missing = cards.length > 0 && !found ? "There is no board editor for this game." : "";
  if (!found || !answer)
    return (
      <PageLayout title="Board editor">
        <h1>Board editor</h1>
        <Placeholder error={error || missing} />
      </PageLayout>
    );
  return (
    <PageLayout title="Board editor" kind="editor">
      <div class="head">
        <h1>{found.card.name} board editor</h1>
        {all.length > 1 && (
          <nav class="button-row" aria-label="Editors">
            {all.map((each) => (
              <a
                class="button"
                href={`/editor/${each.card.key}/${each.option.key}`}
                key={`${each.card.key} ${each.option.key}`}
                aria-current={each.option === found.option ? "page" : undefined}
              >
                {each.card.name}
              </a>
            ))}
          </nav>
        )}
      </div>
      <LayoutEditor {...found} board={answer.board} />
    </PageLayout>
  );
}

function LayoutEditor({ card, option, board }: Editable & { board: BoardSpec }): VNode {
  const { layout: spec, key } = option;
  const [saved] = layoutsFor(useSignal(savedLayouts), card.key, key);
  const [cells, keepCells] = useState<Cells>(() => parseLayout(spec, saved?.text ?? "") ?? blankCells(spec));
  const [rejected, setRejected] = useState<string | null>(null); // a text that is not a board
  const [name, setName] = useState(saved?.name ?? "My board");
  const [piece, setPiece] = useState<LayoutPiece | null>(spec.pieces[0] ?? null);
  const [symmetry, setSymmetry] = useState<Symmetry>("turn");
  const [playing, setPlaying] = useState(false);
  const [choiceError, setChoiceError] = useState("");
  const text = formatLayout(spec, cells);
  const { answer, error } = useRequest({ t: "preview", terms: { game: card.key, options: { [key]: text } } });
  const tool = piece?.name ?? "eraser";
  const picks = useMemo(
    () =>
      allowedCells(spec, piece).map((cell): Offered => ({
        place: cell,
        label: tool,
        kind: "",
        cell: null,
        then: null,
        more: false,
      })),
    [spec, piece, tool],
  );

  const setCells = (next: Cells): void => {
    keepCells(next);
    setRejected(null);
  };
  const read = (written: string): void => {
    const found = parseLayout(spec, written);
    if (found) setCells(found);
    else setRejected(written);
  };
  const paint = (cell: number): void => {
    const next = place(spec, cells, cell, piece, symmetry);
    if (next === cells && piece) announce(`All ${piece.high} are on the board.`);
    setCells(next);
  };
  const loadChoice = async (choice: string): Promise<void> => {
    try {
      const options = { [key]: choice, ...randomSeed(card) };
      const { scene } = await call({ t: "preview", terms: { game: card.key, options } });
      setCells(cellsFromScene(spec, scene));
      setChoiceError("");
    } catch (reason) {
      setChoiceError((reason as Error).message);
    }
  };
  const play = (): void => {
    changePreferences({ game: card.key });
    setPlaying(true);
  };

  return (
    <>
      <div class="stage">
        <Board
          board={board}
          scene={layoutScene(spec, cells, board)}
          label={`${option.title}. Selected tool: ${tool}.`}
          play={{
            picks,
            hidePicks: true,
            chosen: [],
            onPick: paint,
            onBack: () => undefined,
            onMiss: () => announce(`${capitalize(tool)} is not allowed here.`),
            onHover: () => undefined,
          }}
        />
      </div>
      <div class="column">
        <LayoutTools
          spec={spec}
          cells={cells}
          piece={piece}
          symmetry={symmetry}
          onPiece={setPiece}
          onSymmetry={setSymmetry}
        />
        <p class={error || choiceError ? "error" : "muted"} role="status">
          {error || choiceError || "This board is ready to play."}
        </p>
        <div class="button-row">
          <button type="button" class="button" onClick={() => setCells(blankCells(spec))}>
            Clear
          </button>
          {option.choices?.map(String).map((choice) => (
            <button type="button" class="button" key={choice} onClick={() => void loadChoice(choice)}>
              {capitalize(choice)}
            </button>
          ))}
        </div>
        <label class="field">
          <span>As text, to share with others</span>
          <textarea
            rows={spec.rows}
            cols={spec.columns + 4}
            spellcheck={false}
            value={rejected ?? text.replaceAll("/", "\n")}
            aria-invalid={rejected !== null}
            aria-describedby={rejected === null ? undefined : "rejected-text"}
            onChange={(event) => read(event.currentTarget.value)}
          />
        </label>
        <div id="rejected-text">
          <ErrorMessage text={rejected === null ? "" : `This text is not a board. ${formOf(spec)}`} />
        </div>
        <SavedLayoutList
          game={card.key}
          option={key}
          text={text}
          valid={answer !== null && rejected === null}
          name={name}
          onName={setName}
          onLoad={(layout) => {
            setCells(parseLayout(spec, layout.text) ?? blankCells(spec));
            setName(layout.name);
          }}
        />
        <button type="button" class="button primary big" disabled={!answer || rejected !== null} onClick={play}>
          Play on this board
        </button>
        {answer && (
          <a class="button" href={studyPath({ ...NO_GAME, game: card.key, options: { [key]: text } }, [])}>
            Study this board
          </a>
        )}
      </div>
      {playing && <NewTableDialog options={{ [key]: text }} onClose={() => setPlaying(false)} />}
    </>
  );
}

/** How a layout is written. */
function formOf({ rows, columns, blank, pieces }: LayoutSpec): string {
  const symbols = new Set([...blank.replaceAll("/", ""), ...pieces.map(({ symbol }) => symbol)]);
  return `It needs ${rows} rows of ${columns} characters, each of them one of ${[...symbols].join(" ")} in its place.`;
}

/** A new seed for a game that draws layouts at random. */
function randomSeed({ options }: GameCard): { seed?: number } {
  return options.some(({ key }) => key === "seed") ? { seed: Math.floor(Math.random() * 2 ** 31) } : {};
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
