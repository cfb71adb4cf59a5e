// The path below which the server is reached, as in https://example.org/parlour/. In the code, paths are written without.
import { options, type VNode } from "preact";

const PREFIX = new URL(".", import.meta.url).pathname.slice(0, -1); // all scripts are in the folder of the page

/** The path of the address bar that a path of the page has. */
export function withPrefix(to: string): string {
  return PREFIX + to;
}

/** The path of the page at a path of the address bar. */
export function withoutPrefix(shown: string): string {
  return shown.startsWith(`${PREFIX}/`) ? shown.slice(PREFIX.length) : "/";
}

/** Make every link lead below the prefix, so that none can forget it. */
export function prefixLinks(): void {
  const before = options.vnode;
  options.vnode = (vnode) => {
    const { type, props } = vnode as VNode<{ href?: unknown }>;
    if (type === "a" && typeof props.href === "string" && props.href.startsWith("/"))
      props.href = withPrefix(props.href);
    before?.(vnode);
  };
}
