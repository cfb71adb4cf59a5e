// Beside the board: the moves, the talk, and what this table is about. On phones, one line of moves, or a sheet.
import type { VNode } from "preact";
import type { GameCard } from "../../sdk/index.ts";
import type { Table, View } from "../state/table.ts";
import { Acts } from "./Acts.tsx";
import { Chat } from "./Chat.tsx";
import { Icon } from "./Icon.tsx";
import { Moves } from "./Moves.tsx";
import { optionWords } from "./options.ts";
import { pace } from "./time.ts";

export type Tab = "moves" | "chat" | "about";

const TABS: readonly { key: Tab; name: string }[] = [
  { key: "moves", name: "Moves" },
  { key: "chat", name: "Chat" },
  { key: "about", name: "About" },
];

interface Props {
  table: Table;
  view: View;
  card: GameCard | undefined;
  tab: Tab;
  sheet: boolean;
  onTab(tab: Tab): void;
  onClose(): void;
  onTurn(): void;
  onKeys(): void;
}

export function Rail({ table, view, card, tab, sheet, onTab, onClose, onTurn, onKeys }: Props): VNode {
  const { terms } = view.mirror.room;
  const watchers = view.presence?.watchers ?? 0;
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = TABS[(TABS.findIndex((each) => each.key === tab) + step + TABS.length) % TABS.length]!;
    onTab(next.key);
    document.getElementById(`tab-${next.key}`)?.focus();
  };
  return (
    <section class={`rail card show-${tab}${sheet ? " sheet" : ""}`} aria-label="Moves and talk">
      <div class="tabs" role="tablist" onKeyDown={key}>
        {TABS.map(({ key, name }) => (
          <button
            type="button"
            role="tab"
            id={`tab-${key}`}
            aria-selected={tab === key}
            aria-controls="rail-panel"
            tabIndex={tab === key ? 0 : -1}
            onClick={() => onTab(key)}
          >
            {name}
            {key === "chat" && view.unread > 0 && <em>{view.unread}</em>}
          </button>
        ))}
        <button type="button" class="tool close" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div class="panel" role="tabpanel" id="rail-panel" aria-labelledby={`tab-${tab}`}>
        {tab === "moves" && (
          <>
            <p class="about">
              <b>{card?.name ?? terms.game}</b>
              <span>
                {[pace(terms.clock), terms.rated ? "rated" : "casual", ...optionWords(card, terms.options)].join(" · ")}
              </span>
            </p>
            <Moves table={table} view={view} />
          </>
        )}
        {tab === "chat" && <Chat table={table} view={view} />}
        {tab === "about" && (
          <div class="details">
            <h2>{card?.name ?? terms.game}</h2>
            <p>{card?.summary}</p>
            <dl>
              <dt>Pace</dt>
              <dd>{pace(terms.clock)}</dd>
              <dt>Kind</dt>
              <dd>{terms.rated ? "rated" : "casual"}</dd>
              {optionWords(card, terms.options).map((words) => (
                <>
                  <dt>Option</dt>
                  <dd>{words}</dd>
                </>
              ))}
              <dt>Watching</dt>
              <dd>{watchers === 0 ? "nobody" : watchers === 1 ? "1 person" : `${watchers} people`}</dd>
              <dt>Table</dt>
              <dd>{table.id}</dd>
            </dl>
            <p class="row-of">
              <button type="button" class="button" onClick={onTurn}>
                <Icon name="flip" size={18} />
                Turn the board
              </button>
              <a class="button" href={`/rules/${terms.game}`}>
                <Icon name="book" size={18} />
                Rules
              </a>
              <button type="button" class="button by-keys" onClick={onKeys}>
                Keys
              </button>
            </p>
            <div class="sheet-acts">
              <Acts table={table} view={view} />
            </div>
          </div>
        )}
      </div>
    </section>
  );
}
