// Markdown as elements. The parser only produces tokens and HTML in the text is dropped, so no text can inject markup.
import type { Token, Tokens } from "marked";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Placeholder } from "./PageLayout.tsx";

type RenderImage = (target: string, alt: string) => VNode | null;

interface Props {
  text: string;
  /** Draw an image; null leaves it out. */
  renderImage: RenderImage;
}

interface Parser {
  lexer(text: string): Token[];
}

let loaded: Parser | null = null;

export async function loadMarkdown(): Promise<Parser> {
  return (loaded ??= await import("./markdownLexer.ts"));
}

export function Markdown({ text, renderImage }: Props): VNode {
  const [parser, setParser] = useState(loaded);
  const [error, setError] = useState("");
  useEffect(() => {
    loadMarkdown().then(setParser, () =>
      setError("This page could not be loaded. Reload it: the server may have a newer version."),
    );
  }, []);
  return parser ? <>{renderTokens(parser.lexer(text), renderImage)}</> : <Placeholder error={error} />;
}

function renderTokens(tokens: readonly Token[] | undefined, renderImage: RenderImage): ComponentChildren[] {
  return (tokens ?? []).map((token) => renderToken(token as Tokens.Generic, renderImage));
}

function renderToken(token: Tokens.Generic, renderImage: RenderImage): ComponentChildren {
  const children = (): ComponentChildren[] => renderTokens(token.tokens, renderImage);
  switch (token.type) {
    case "heading": {
      const Heading = token.depth === 1 ? "h1" : token.depth === 2 ? "h2" : "h3";
      return <Heading>{children()}</Heading>;
    }
    case "paragraph":
      return isImagesOnly(token.tokens) ? <div class="pictures">{children()}</div> : <p>{children()}</p>;
    case "blockquote":
      return <blockquote>{children()}</blockquote>;
    case "list":
      return renderList(token as Tokens.List, renderImage);
    case "table":
      return renderTable(token as Tokens.Table, renderImage);
    case "code":
      return <pre tabIndex={0}>{token.text}</pre>;
    case "hr":
      return <hr />;
    case "br":
      return <br />;
    case "strong":
      return <strong>{children()}</strong>;
    case "em":
      return <em>{children()}</em>;
    case "codespan":
      return <code>{token.text}</code>;
    case "image":
      return renderImage(token.href, token.text);
    case "link":
      return isSafeLink(token.href) ? (
        <a class="link" href={token.href}>
          {children()}
        </a>
      ) : (
        children()
      );
    case "html":
    case "space":
    case "def":
      return null;
    default:
      return token.tokens ? children() : token.text;
  }
}

function renderList({ ordered, start, items }: Tokens.List, renderImage: RenderImage): VNode {
  const content = items.map((item, n) => <li key={n}>{renderTokens(item.tokens, renderImage)}</li>);
  return ordered ? <ol start={start || 1}>{content}</ol> : <ul>{content}</ul>;
}

function renderTable({ header, rows }: Tokens.Table, renderImage: RenderImage): VNode {
  return (
    <table>
      <thead>
        <tr>
          {header.map((cell, n) =>
            cell.text ? (
              <th scope="col" key={n}>
                {renderTokens(cell.tokens, renderImage)}
              </th>
            ) : (
              <td key={n} /> // above a column of headings
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, n) => (
          <tr key={n}>
            {row.map((cell, column) => (
              <td key={column}>{renderTokens(cell.tokens, renderImage)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether a paragraph is a row of images. */
function isImagesOnly(tokens: readonly Token[] | undefined): boolean {
  const visible = tokens?.filter((token) => token.type !== "text" || token.raw.trim()) ?? [];
  return visible.length > 0 && visible.every((token) => token.type === "image");
}

function isSafeLink(href: string): boolean {
  return /^https?:|^\//.test(href);
}
