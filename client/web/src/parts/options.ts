// The options of a table in words: only those that differ from what is usual.
import type { GameCard, OptionValue } from "../../sdk/index.ts";

export function optionWords(card: GameCard | undefined, options: { [key: string]: OptionValue } | undefined): string[] {
  return Object.entries(options ?? {}).flatMap(([key, value]) => {
    const spec = card?.options.find((option) => option.key === key);
    if (!spec) return [`${key} ${value}`];
    if (value === spec.default || key === "seed") return []; // chance says nothing to people
    const title = spec.title.toLowerCase();
    if (typeof value === "boolean") return [`${title} ${value ? "on" : "off"}`];
    return [spec.kind === "layout" && String(value).length > 20 ? `own ${title}` : `${title} ${value}`];
  });
}
