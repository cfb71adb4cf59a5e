// A button that shares a link: with the share sheet of a phone, or by copying it.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { announce } from "../state/announcements.ts";
import { Icon } from "./Icon.tsx";

interface Props {
  url: string;
  /** The title of the link, for the share sheet. */
  title: string;
  primary?: boolean;
  /** The name of the button, on phones and elsewhere. */
  names?: readonly [share: string, copy: string];
  /** Called if the browser does not let the page copy. */
  onFailure?(): void;
}

/** Computers have share sheets too, but their users expect a link to paste. */
const hasShareSheet = (): boolean => "share" in navigator && matchMedia("(pointer: coarse)").matches;

export function ShareButton({ url, title, primary, names = ["Share", "Share"], onFailure }: Props): VNode {
  const [copied, setCopied] = useState(false);
  useEffect(() => setCopied(false), [url]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
      announce("The link was copied.");
    } catch {
      announce("Copy the address of this page to share it.");
      onFailure?.();
    }
  };
  const share = async (): Promise<void> => {
    try {
      await navigator.share({ title, url });
    } catch (reason) {
      if ((reason as Error).name !== "AbortError") await copy(); // the user closed the sheet
    }
  };
  const sheet = hasShareSheet();
  return (
    <button type="button" class={primary ? "button primary" : "button"} onClick={() => void (sheet ? share() : copy())}>
      <Icon name={copied ? "check" : sheet ? "link" : "copy"} size={18} />
      {copied ? "Copied" : names[sheet ? 0 : 1]}
    </button>
  );
}
