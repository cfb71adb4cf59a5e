// The best game of a tournament at full size. When it is over, the next one takes its place.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { PageLayout } from "../components/PageLayout.tsx";
import type { TournamentView } from "../state/tournament.ts";
import { announce } from "../state/announcements.ts";
import { TablePage } from "./TablePage.tsx";

const NEXT_AFTER = 5000; // milliseconds, to see the result

export function TopTable({ view }: { view: TournamentView }): VNode {
  const { summary, featured, games = [] } = view.tournament;
  const [room, setRoom] = useState(featured ?? "");
  const isOver = !games.some((game) => game.room === room && !game.over);
  const next = featured && featured !== room && (isOver || !room) ? featured : "";
  useEffect(() => {
    if (!next) return undefined;
    const timer = setTimeout(
      () => {
        setRoom(next);
        announce("The next game at the top table.");
      },
      room ? NEXT_AFTER : 0,
    );
    return () => clearTimeout(timer);
  }, [next, room]);
  if (room) return <TablePage id={room} />;
  return (
    <PageLayout title={summary.settings.name}>
      <h1>Top table</h1>
      <p role="status">No game is being played right now. The next one opens here.</p>
      <a class="button" href={`/tournaments/${summary.tournament}`}>
        Back to the tournament
      </a>
    </PageLayout>
  );
}
