// The header of every page, and the dock that replaces its links on phones.
import type { ComponentChildren, VNode } from "preact";
import { me } from "../state/server.ts";
import { path } from "../state/router.ts";
import { changeSettings, isDark, settings } from "../state/settings.ts";
import { useSignal } from "../state/signal.ts";
import { Icon, type IconName, Logo } from "./Icon.tsx";

export const PAGES: readonly { to: string; name: string; icon: IconName }[] = [
  { to: "/", name: "Play", icon: "play" },
  { to: "/watch", name: "Watch", icon: "eye" },
  { to: "/rules", name: "Rules", icon: "book" },
  { to: "/players", name: "Players", icon: "people" },
];

const isCurrent = (page: string, here: string): boolean =>
  page === "/" ? here === "/" || here.startsWith("/table") : here.startsWith(page);

export function Header({ title }: { title: string }): VNode {
  const here = useSignal(path);
  const player = useSignal(me);
  const { sound } = useSignal(settings);
  const dark = isDark();
  return (
    <header class="top">
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
      </nav>
      <span class="crumb">{title}</span>
      <div class="tools">
        <button
          class="tool"
          type="button"
          aria-label="Sound"
          aria-pressed={sound}
          onClick={() => changeSettings({ sound: !sound })}
        >
          <Icon name={sound ? "sound" : "mute"} />
        </button>
        <button
          class="tool"
          type="button"
          aria-label="Dark theme"
          aria-pressed={dark}
          onClick={() => changeSettings({ theme: dark ? "light" : "dark" })}
        >
          <Icon name={dark ? "sun" : "moon"} />
        </button>
        {player && (
          <a class="me" href="/account">
            <span class="avatar" aria-hidden="true">
              {[...player.name][0]?.toUpperCase()}
            </span>
            <span class="name">{player.name}</span>
          </a>
        )}
      </div>
    </header>
  );
}

export function Dock({ children }: { children?: ComponentChildren }): VNode {
  const here = useSignal(path);
  return (
    <nav class="dock" aria-label={children ? "Table" : "Pages"}>
      {children ??
        PAGES.map(({ to, name, icon }) => (
          <a href={to} key={to} aria-current={isCurrent(to, here) ? "page" : undefined}>
            <Icon name={icon} />
            {name}
          </a>
        ))}
    </nav>
  );
}
