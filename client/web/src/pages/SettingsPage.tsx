// The settings of this browser, and the keyboard shortcuts.
import type { VNode } from "preact";
import { PageLayout } from "../components/PageLayout.tsx";
import { ShortcutList } from "../components/ShortcutList.tsx";
import { SegmentedControl } from "../components/SegmentedControl.tsx";
import { playSound } from "../state/sound.ts";
import { changeSettings, settings, type Settings } from "../state/settings.ts";
import { useSignal } from "../state/signal.ts";

const SWITCHES: readonly { key: "motion" | "coordinates" | "numbers" | "confirm" | "sound"; name: string }[] = [
  { key: "motion", name: "Animations" },
  { key: "coordinates", name: "Coordinates around the board" },
  { key: "numbers", name: "Numbers on score tracks" },
  { key: "confirm", name: "Confirm each turn before it is sent" },
  { key: "sound", name: "Sound" },
];

export function SettingsPage(): VNode {
  const current = useSignal(settings);
  return (
    <PageLayout title="Settings">
      <h1>Settings</h1>
      <section class="card settings" aria-label="Settings">
        <SegmentedControl
          legend="Theme"
          name="theme"
          value={current.theme}
          onChange={(theme) => changeSettings({ theme: theme as Settings["theme"] })}
          choices={[
            { value: "system", name: "System" },
            { value: "light", name: "Light" },
            { value: "dark", name: "Dark" },
          ]}
        />
        {SWITCHES.map(({ key, name }) => (
          <label class="switch" key={key}>
            <input
              type="checkbox"
              checked={current[key]}
              onChange={(event) => changeSettings({ [key]: event.currentTarget.checked })}
            />
            <span class="track" aria-hidden="true" />
            {name}
          </label>
        ))}
        <div class="button-row">
          <label class="field">
            <span>Volume</span>
            <input
              type="range"
              min={0}
              max={100}
              value={Math.round(current.volume * 100)}
              disabled={!current.sound}
              onChange={(event) => changeSettings({ volume: Number(event.currentTarget.value) / 100 })}
            />
          </label>
          <button type="button" class="button" disabled={!current.sound} onClick={() => playSound("turn")}>
            Test sound
          </button>
        </div>
      </section>
      <section class="card settings" aria-label="Keyboard shortcuts">
        <h2>Keyboard shortcuts</h2>
        <ShortcutList />
      </section>
      <p>
        <a href="/docs/" target="_self">
          Documentation
        </a>{" "}
        for players, operators and programmers
      </p>
    </PageLayout>
  );
}
