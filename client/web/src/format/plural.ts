// Numbers with their nouns.

/** `1 game`, `2 games`. */
export function plural(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
