// There is no such page.
import type { VNode } from "preact";
import { Frame } from "../parts/Frame.tsx";

export function NothingPage(): VNode {
  return (
    <Frame title="Parlour">
      <h1>Nothing here</h1>
      <p>There is no page at this address.</p>
      <a class="button primary" href="/">
        To the start
      </a>
    </Frame>
  );
}
