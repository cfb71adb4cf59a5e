// The rules of a game with its example boards, and a practice board.
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { type Rules, type RulesExample, Turn } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import { useTurnToDraw } from "../board/drawingQueue.ts";
import { Geometry } from "../board/geometry.ts";
import { Markdown } from "../components/Markdown.tsx";
import { PageLayout, Placeholder } from "../components/PageLayout.tsx";
import { PracticeBoard } from "../components/PracticeBoard.tsx";
import { useRequest } from "../state/request.ts";
import { games } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";

export function RulesPage({ game }: { game: string }): VNode {
  const cards = useSignal(games);
  const card = game ? cards.find(({ key }) => key === game) : cards[0];
  const wanted = game || card?.key;
  const { answer, error } = useRequest(wanted ? { t: "get_rules", game: wanted } : null);
  const rules = answer?.game === wanted ? answer : null;
  return (
    <PageLayout title="Rules" kind="rules">
      <nav class="rules-nav" aria-label="Games">
        {cards.map(({ key, name }) => (
          <a href={`/rules/${key}`} key={key} aria-current={key === wanted ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <article>{rules ? <RulesText rules={rules} key={rules.game} /> : <Placeholder error={error} />}</article>
      {card && card.levels.length > 0 && <PracticeBoard card={card} key={card.key} />}
    </PageLayout>
  );
}

/** The text, with a drawn board in place of each image that names an example. */
function RulesText({ rules }: { rules: Rules }): VNode {
  const examples = useMemo(() => new Map(rules.examples?.map((example) => [example.name, example])), [rules]);
  const renderImage = (target: string, alt: string): VNode | null => {
    const example = examples.get(target);
    if (!example) return null;
    return <Example example={example} label={alt} />;
  };
  return <Markdown text={rules.text} renderImage={renderImage} />;
}

function Example({ example, label }: { example: RulesExample; label: string }): VNode {
  const { board, scene, picks = [] } = example;
  const isDue = useTurnToDraw();
  const aspect = useMemo(() => new Geometry(board, false).aspect, [board]);
  const { offered } = Turn.begin({ t: "choices", room: "", ply: 0, step: [0, picks, null], prompts: [""] });
  return (
    <figure style={{ aspectRatio: String(aspect) }}>
      {isDue && <Board board={board} scene={scene} offered={offered} label={label} />}
    </figure>
  );
}
