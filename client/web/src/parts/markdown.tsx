// The Markdown that rules are written in, as elements: never as markup, so nothing in a text can do harm.
import type { ComponentChildren, VNode } from "preact";

/** What stands in the place of a picture. */
export type Picture = (target: string, words: string) => VNode | null;

const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|\*(.+?)\*|!\[([^\]]*)\]\(([^)]*)\)|\[([^\]]*)\]\(([^)]*)\)/g;

export function markdown(text: string, picture: Picture): VNode[] {
  return text.split(/\n{2,}/).flatMap((block) => blocks(block.replace(/\s+$/, ""), picture));
}

/** One paragraph, list, table or heading; lines of a list that goes on are part of it. */
function blocks(block: string, picture: Picture): VNode[] {
  const lines = block.split("\n");
  const first = lines[0] ?? "";
  const inside = (words: string): ComponentChildren => inline(words, picture);
  const heading = /^(#{1,6}) +(.*)/.exec(first);
  if (heading) {
    const words = inside(heading[2]!);
    const rest = lines.slice(1).join("\n");
    const head = { 1: <h1>{words}</h1>, 2: <h2>{words}</h2> }[heading[1]!.length] ?? <h3>{words}</h3>;
    return rest ? [head, ...blocks(rest, picture)] : [head];
  }
  if (!first.trim()) return [];
  if (/^\|/.test(first)) return [table(lines, inside)];
  if (/^```/.test(first)) return [<pre tabIndex={0}>{lines.slice(1, -1).join("\n")}</pre>];
  if (/^[-*] /.test(first))
    return [
      <ul>
        {items(lines, /^[-*] +/).map((item) => (
          <li>{inside(item)}</li>
        ))}
      </ul>,
    ];
  if (/^\d+\. /.test(first))
    return [
      <ol>
        {items(lines, /^\d+\. +/).map((item) => (
          <li>{inside(item)}</li>
        ))}
      </ol>,
    ];
  if (lines.every((line) => /^!\[.*\)$/.test(line))) return [<div class="pictures">{lines.map(inside)}</div>];
  return [<p>{inside(lines.join(" "))}</p>];
}

function items(lines: readonly string[], sign: RegExp): string[] {
  const found: string[] = [];
  for (const line of lines) {
    if (sign.test(line)) found.push(line.replace(sign, ""));
    else found.push(`${found.pop() ?? ""} ${line.trim()}`);
  }
  return found;
}

function table(lines: readonly string[], inside: (words: string) => ComponentChildren): VNode {
  const cells = (line: string): string[] =>
    line
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
  const [head, , ...rows] = lines.map(cells);
  return (
    <table>
      <thead>
        <tr>
          {head?.map((cell) => (
            <th scope="col">{inside(cell)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map((cell) => (
              <td>{inside(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function inline(words: string, picture: Picture): ComponentChildren[] {
  const found: ComponentChildren[] = [];
  let end = 0;
  for (const match of words.matchAll(INLINE)) {
    const [whole, code, strong, stressed, alt, target, label, address] = match;
    found.push(words.slice(end, match.index));
    end = match.index + whole.length;
    if (code !== undefined) found.push(<code>{code}</code>);
    else if (strong !== undefined) found.push(<strong>{inline(strong, picture)}</strong>);
    else if (stressed !== undefined) found.push(<em>{inline(stressed, picture)}</em>);
    else if (target !== undefined) found.push(picture(target, alt ?? ""));
    else if (/^https?:|^\//.test(address ?? ""))
      found.push(
        <a class="link" href={address}>
          {label}
        </a>,
      );
    else found.push(label);
  }
  found.push(words.slice(end));
  return found;
}
