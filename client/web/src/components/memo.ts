// A component that renders again only when one of its properties has changed.
import { Component, type ComponentChild, type FunctionComponent, h } from "preact";

export function memo<P extends object>(draw: (props: P) => ComponentChild): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const keys = Object.keys(next) as (keyof P)[];
      return keys.length !== Object.keys(this.props).length || keys.some((key) => next[key] !== (this.props as P)[key]);
    }

    override render(): ComponentChild {
      return draw(this.props as P);
    }
  }
  return (props: P) => h(Memo as never, props as never);
}
