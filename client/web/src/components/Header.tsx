// The header of every page, and the dock that replaces its links on phones.
import type { ComponentChildren, VNode } from "preact";
import { me } from "../state/server.ts";
import { path } from "../state/router.ts";
import { changeSettings, isDark, settings } from "../state/settings.ts";
import { useSignal } from "../state/signal.ts";
import { HeaderBar, PageDock } from "./Navigation.tsx";

export function Header({ title }: { title: string }): VNode {
  const player = useSignal(me);
  const { sound } = useSignal(settings);
  const dark = isDark();
  return (
    <HeaderBar
      title={title}
      here={useSignal(path)}
      sound={sound}
      dark={dark}
      onSound={() => changeSettings({ sound: !sound })}
      onTheme={() => changeSettings({ theme: dark ? "light" : "dark" })}
    >
      {player?.guest && (
        <a class="sign-in" href="/account">
          Sign in
        </a>
      )}
      {player && (
        <a class="me" href="/account">
          <span class="avatar" aria-hidden="true">
            {[...player.name][0]?.toUpperCase()}
          </span>
          <span class="name">{player.name}</span>
        </a>
      )}
    </HeaderBar>
  );
}

export function Dock({ children }: { children?: ComponentChildren }): VNode {
  const here = useSignal(path);
  return children ? (
    <nav class="dock" aria-label="Table">
      {children}
    </nav>
  ) : (
    <PageDock here={here} />
  );
}
