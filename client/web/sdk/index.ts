// Everything a client of Parlour needs, in a browser or in Node. See README.md.
export * from "./connection.ts";
export * from "./mirror.ts";
export * from "./protocol.ts";
export * from "./refusal.ts";
export * from "./scene.ts";
export { type Command, type Request, Session } from "./session.ts";
export * from "./turn.ts";
