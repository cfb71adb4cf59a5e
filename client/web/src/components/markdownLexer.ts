// The Markdown parser, in a chunk that only the rules page loads.
export { lexer } from "marked";
