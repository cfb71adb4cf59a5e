// The panel beside the board: moves, chat and details. On phones it is one line of moves, or a sheet.
import { Fragment, type VNode } from "preact";
import type { GameCard } from "../../sdk/index.ts";
import type { Table, View } from "../state/table.ts";
import { ActionBar } from "./ActionBar.tsx";
import { Chat } from "./Chat.tsx";
import { Icon } from "./Icon.tsx";
import { MovesPanel } from "./MovesPanel.tsx";
import { PlayerName } from "./PlayerName.tsx";
import { formatOptions } from "../format/options.ts";
import { formatTerms } from "../format/terms.ts";
import { formatClock } from "../format/clock.ts";

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
  onFlip(): void;
  onShortcuts(): void;
}

export function SidePanel({ table, view, card, tab, sheet, onTab, onClose, onFlip, onShortcuts }: Props): VNode {
  const { replica } = view;
  const { terms } = replica.room;
  const minutes = card?.lesson_minutes ?? 0;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = TABS[(TABS.findIndex((each) => each.key === tab) + step + TABS.length) % TABS.length]!;
    onTab(next.key);
    document.getElementById(`tab-${next.key}`)?.focus();
  };
  return (
    <section class={`side-panel card show-${tab}${sheet ? " sheet" : ""}`} aria-label="Moves and chat">
      <div class="tabs" role="tablist" onKeyDown={onKeyDown}>
        {TABS.map(({ key, name }) => (
          <button
            type="button"
            role="tab"
            key={key}
            id={`tab-${key}`}
            aria-selected={tab === key}
            aria-controls="side-panel-content"
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
      <div class="panel" role="tabpanel" id="side-panel-content" aria-labelledby={`tab-${tab}`}>
        {tab === "moves" && (
          <>
            <p class="about">
              <b>{card?.name ?? terms.game}</b>
              <span>{formatTerms(terms, card)}</span>
              {!replica.moves.length && minutes > 0 && (
                <span>
                  New to {card?.name}?{" "}
                  <a class="link" href={`/learn/${terms.game}`}>
                    Learn it in {minutes} minutes
                  </a>
                </span>
              )}
            </p>
            <MovesPanel table={table} view={view} />
          </>
        )}
        {tab === "chat" && <Chat table={table} view={view} />}
        {tab === "about" && (
          <div class="details">
            <h2>{card?.name ?? terms.game}</h2>
            <p>{card?.summary}</p>
            <dl>
              {replica.players.map(({ player }, seat) => (
                <Fragment key={seat}>
                  <dt>{replica.room.board.seats[seat]?.name}</dt>
                  <dd>
                    <PlayerName player={player} />
                  </dd>
                </Fragment>
              ))}
              <dt>Time control</dt>
              <dd>{formatClock(terms.clock)}</dd>
              <dt>Type</dt>
              <dd>{terms.rated ? "rated" : "casual"}</dd>
              {formatOptions(card, terms.options).map((option) => (
                <Fragment key={option}>
                  <dt>Option</dt>
                  <dd>{option}</dd>
                </Fragment>
              ))}
              {replica.room.tournament && (
                <>
                  <dt>Tournament</dt>
                  <dd>
                    <a class="link" href={`/tournaments/${replica.room.tournament}`}>
                      Standings
                    </a>
                  </dd>
                </>
              )}
              <dt>Spectators</dt>
              <dd>{view.presence?.spectators ?? 0}</dd>
              <dt>Table</dt>
              <dd>{table.id}</dd>
            </dl>
            <p class="button-row">
              <button type="button" class="button" onClick={onFlip}>
                <Icon name="flip" size={18} />
                Flip the board
              </button>
              <a class="button" href={`/rules/${terms.game}`}>
                <Icon name="book" size={18} />
                Rules
              </a>
              {minutes > 0 && (
                <a class="button" href={`/learn/${terms.game}`}>
                  <Icon name="bulb" size={18} />
                  Learn · {minutes} min
                </a>
              )}
              <button type="button" class="button by-keys" onClick={onShortcuts}>
                Shortcuts
              </button>
            </p>
            <div class="sheet-actions">
              <ActionBar table={table} view={view} />
            </div>
          </div>
        )}
      </div>
    </section>
  );
}
