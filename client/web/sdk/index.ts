// Everything that a Parlour client needs, in a browser or in Node. See README.md.
export * from "./address.ts";
export * from "./clock.ts";
export * from "./connection.ts";
export * from "./replica.ts";
export * from "./protocol.ts";
export * from "./refusal.ts";
export * from "./scene.ts";
export { type Command, type Request, Session } from "./session.ts";
export * from "./timing.ts";
export * from "./turn.ts";
