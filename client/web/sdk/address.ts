// Server addresses as users write them. The same as client/parlour/client/address.py.
import { PATH } from "./protocol.ts";

const THIS_MACHINE = "ws://127.0.0.1:8765";

/**
 * Return the WebSocket address for the address of a server's web page or socket, or for `host` or `host:port`. Without a
 * scheme, a host alone means https, and a host with a port http, except for port 443. Throws if it is none of these.
 */
export function socketAddress(address: string): string {
  const text = address.trim();
  const scheme = /:(?!443$)\d+$/.test(text.split("/", 1)[0]!) ? "ws" : "wss";
  const url = new URL(text === "localhost" ? THIS_MACHINE : text.includes("://") ? text : `${scheme}://${text}`);
  if (!/^(http|ws)s?:$/.test(url.protocol)) throw new TypeError(`${address} is not the address of a server`);
  return `${url.protocol.replace("http", "ws")}//${url.host}${url.pathname === "/" ? PATH : url.pathname}`;
}
