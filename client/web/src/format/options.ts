// The options of a table in words; only those that differ from the default.
import type { GameCard, OptionValue } from "../../sdk/index.ts";

export function formatOptions(
  card: GameCard | undefined,
  options: { [key: string]: OptionValue } | undefined,
): string[] {
  return Object.entries(options ?? {}).flatMap(([key, value]) => {
    const spec = card?.options.find((option) => option.key === key);
    if (!spec) return [`${key} ${value}`];
    if (value === spec.default || key === "seed") return []; // a seed means nothing to players
    const title = spec.title.toLowerCase();
    if (typeof value === "boolean") return [`${title} ${value ? "on" : "off"}`];
    const custom = spec.kind === "layout" && !spec.choices?.includes(value);
    return [custom ? `custom ${title}` : `${title} ${value}`];
  });
}
