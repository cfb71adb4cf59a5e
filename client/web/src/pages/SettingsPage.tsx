// How this browser shows the parlour, and which keys there are.
import type { VNode } from "preact";
import { Frame } from "../parts/Frame.tsx";
import { KeyList } from "../parts/KeyList.tsx";
import { Segments } from "../parts/Segments.tsx";
import { hear } from "../parts/sound.ts";
import { change, settings, type Settings } from "../state/settings.ts";
import { useSignal } from "../state/signal.ts";

const SWITCHES: readonly { key: "motion" | "coordinates" | "numbers" | "confirm" | "sound"; name: string }[] = [
  { key: "motion", name: "Moving pieces" },
  { key: "coordinates", name: "Letters and numbers around the board" },
  { key: "numbers", name: "Numbers in the cells of score tracks" },
  { key: "confirm", name: "Ask before a turn is sent" },
  { key: "sound", name: "Sounds" },
];

export function SettingsPage(): VNode {
  const now = useSignal(settings);
  return (
    <Frame title="Settings">
      <h1>Settings</h1>
      <section class="card settings" aria-label="Settings">
        <Segments
          legend="Appearance"
          name="look"
          value={now.look}
          onChange={(look) => change({ look: look as Settings["look"] })}
          choices={[
            { value: "system", name: "As the system" },
            { value: "day", name: "Day" },
            { value: "lamp", name: "Lamplight" },
          ]}
        />
        {SWITCHES.map(({ key, name }) => (
          <label class="switch" key={key}>
            <input
              type="checkbox"
              checked={now[key]}
              onChange={(event) => change({ [key]: event.currentTarget.checked })}
            />
            <span class="track" aria-hidden="true" />
            {name}
          </label>
        ))}
        <div class="row-of">
          <label class="field">
            <span>Volume</span>
            <input
              type="range"
              min={0}
              max={100}
              value={Math.round(now.volume * 100)}
              disabled={!now.sound}
              onChange={(event) => change({ volume: Number(event.currentTarget.value) / 100 })}
            />
          </label>
          <button type="button" class="button" disabled={!now.sound} onClick={() => hear("turn")}>
            Try it
          </button>
        </div>
      </section>
      <section class="card settings" aria-label="Keys">
        <h2>Keys</h2>
        <KeyList />
      </section>
    </Frame>
  );
}
