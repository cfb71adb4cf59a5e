// The tools that set up a position: the palette, the side to move, and the numbers beside the board.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { type PositionEdited, seatToMove } from "../../sdk/index.ts";
import type { Change } from "../state/positionSetup.ts";
import { Icon } from "./Icon.tsx";
import { SegmentedControl } from "./SegmentedControl.tsx";
import { PieceIcon } from "./Tray.tsx";

interface PaletteProps {
  shown: PositionEdited;
  item: number;
  onItem(item: number): void;
}

export function SetupPalette({ shown: { board, palette = [] }, item, onItem }: PaletteProps): VNode {
  return (
    <SegmentedControl
      legend="Put on the board"
      name="item"
      value={String(item)}
      onChange={(value) => onItem(Number(value))}
      choices={palette.map(({ name, glyph }, n) => ({
        value: String(n),
        name,
        picture: glyph == null ? <Icon name="close" size={18} /> : <PieceIcon board={board} glyph={glyph} />,
      }))}
    />
  );
}

interface ToolsProps {
  shown: PositionEdited;
  onChange(change: Change): void;
}

export function SetupTools({ shown: { board, scene, numbers = [] }, onChange }: ToolsProps): VNode {
  return (
    <>
      <SegmentedControl
        legend="To move"
        name="turn"
        value={String(seatToMove(scene) ?? "")}
        onChange={(value) => onChange({ turn: Number(value) })}
        choices={board.seats.map(({ name }, seat) => ({ value: String(seat), name }))}
      />
      {numbers.map(({ title, value, high, step = 1, choices = [] }, number) =>
        choices.length ? (
          <SegmentedControl
            key={title}
            legend={title}
            name={`number-${number}`}
            value={String(value)}
            onChange={(chosen) => onChange({ number, value: Number(chosen) })}
            choices={choices.map((name, n) => ({ value: String(n), name }))}
          />
        ) : (
          <NumberField
            key={title}
            title={title}
            value={value}
            high={high}
            step={step}
            onValue={(next) => onChange({ number, value: next })}
          />
        ),
      )}
    </>
  );
}

interface NumberProps {
  title: string;
  value: number;
  high: number;
  step: number;
  onValue(value: number): void;
}

/** A number to type, or to change by steps. */
function NumberField({ title, value, high, step, onValue }: NumberProps): VNode {
  const [typed, setTyped] = useState<string | null>(null); // an answer of the server must not undo what is being typed
  return (
    <fieldset>
      <legend>{title}</legend>
      <div class="button-row">
        <button
          type="button"
          class="button"
          aria-label="Less"
          disabled={value === 0}
          onClick={() => onValue(Math.max(0, value - step))}
        >
          −
        </button>
        <input
          type="number"
          class="num"
          aria-label={title}
          min={0}
          max={high}
          step={step}
          value={typed ?? value}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => {
            setTyped(null);
            onValue(Math.max(0, Math.round(event.currentTarget.valueAsNumber || 0)));
          }}
        />
        <button
          type="button"
          class="button"
          aria-label="More"
          disabled={value + step > high}
          onClick={() => onValue(value + step)}
        >
          +
        </button>
      </div>
    </fieldset>
  );
}
