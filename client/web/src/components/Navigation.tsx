// The links between pages, in the header and in the dock of phones. Nothing here depends on state, so the build can render
// both into the HTML.
import type { ComponentChildren, VNode } from "preact";
import { Icon, type IconName, Logo } from "./Icon.tsx";

const PAGES: readonly { to: string; name: string; icon: IconName }[] = [
  { to: "/", name: "Play", icon: "play" },
  { to: "/watch", name: "Watch", icon: "eye" },
  { to: "/tournaments", name: "Tournaments", icon: "trophy" },
  { to: "/rules", name: "Rules", icon: "book" },
  { to: "/players", name: "Players", icon: "people" },
];

const isCurrent = (page: string, here: string): boolean =>
  page === "/" ? here === "/" || here.startsWith("/table") : here.startsWith(page);

interface HeaderProps {
  title: string;
  /** The path of the page that is shown. */
  here: string;
  sound?: boolean;
  dark?: boolean;
  onSound?(): void;
  onTheme?(): void;
  children?: ComponentChildren;
}

export function HeaderBar({ title, here, sound = true, dark = false, onSound, onTheme, children }: HeaderProps): VNode {
  return (
    <header class="top">
      <a class="skip button" href="#content" onClick={skipNavigation}>
        Skip to the content
      </a>
      <a class="home" href="/" aria-label="Parlour home">
        <Logo />
        <span>Parlour</span>
      </a>
      <nav aria-label="Pages">
        {PAGES.map(({ to, name }) => (
          <a href={to} key={to} aria-current={isCurrent(to, here) ? "page" : undefined}>
            {name}
          </a>
        ))}
        <DocsLink />
      </nav>
      <span class="crumb">{title}</span>
      <div class="tools">
        <button class="tool" type="button" aria-label="Sound" aria-pressed={sound} onClick={onSound}>
          <Icon name={sound ? "sound" : "mute"} />
        </button>
        <button class="tool" type="button" aria-label="Dark theme" aria-pressed={dark} onClick={onTheme}>
          <Icon name={dark ? "sun" : "moon"} />
        </button>
        {children}
      </div>
    </header>
  );
}

/** Move the focus behind the header. The address stays as it is: some pages keep their own state in it. */
function skipNavigation(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

/** The link to the documentation, which is not a page of this client: the target keeps the router from showing it. */
export function DocsLink(): VNode {
  return (
    <a href="/docs/" target="_self">
      Docs
    </a>
  );
}

export function PageDock({ here }: { here: string }): VNode {
  return (
    <nav class="dock" aria-label="Pages">
      {PAGES.map(({ to, name, icon }) => (
        <a href={to} key={to} aria-current={isCurrent(to, here) ? "page" : undefined}>
          <Icon name={icon} />
          {name}
        </a>
      ))}
    </nav>
  );
}
