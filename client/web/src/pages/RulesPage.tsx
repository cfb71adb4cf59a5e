// The rules of a game as the server tells them, with its pictures drawn as boards, and a board to try them on.
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { type Rules, Turn } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import { Absent, Frame } from "../parts/Frame.tsx";
import { markdown } from "../parts/markdown.tsx";
import { TryBoard } from "../parts/TryBoard.tsx";
import { useAnswer } from "../state/answer.ts";
import { games } from "../state/parlour.ts";
import { useSignal } from "../state/signal.ts";

export function RulesPage({ game }: { game: string }): VNode {
  const cards = useSignal(games);
  const card = game ? cards.find(({ key }) => key === game) : cards[0];
  const { answer, refused } = useAnswer(game || card ? { t: "ask_rules", game: game || card!.key } : null);
  const shown = answer?.game === (game || card?.key) ? answer : null;
  return (
    <Frame title="Rules" kind="rules">
      <nav class="rules-of" aria-label="Rules of">
        {cards.map(({ key, name }) => (
          <a href={`/rules/${key}`} aria-current={key === (card?.key ?? game) ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <article>{shown ? <Text rules={shown} key={shown.game} /> : <Absent refused={refused} />}</article>
      {card && card.levels.length > 0 && <TryBoard card={card} key={card.key} />}
    </Frame>
  );
}

function Text({ rules }: { rules: Rules }): VNode {
  const elements = useMemo(() => {
    const examples = new Map(rules.examples?.map((example) => [example.name, example]));
    return markdown(rules.text, (target, words) => {
      const example = examples.get(target);
      if (!example) return null;
      const { board, scene, picks = [] } = example;
      const { offered } = Turn.begin({ t: "choices", room: "", ply: 0, step: [0, picks, null], prompts: [""] });
      return (
        <figure>
          <Board board={board} scene={scene} offered={offered} label={words} />
        </figure>
      );
    });
  }, [rules]);
  return <>{elements}</>;
}
