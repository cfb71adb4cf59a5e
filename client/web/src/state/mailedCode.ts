// The code in the link of an e-mail. It is in the fragment of the address, which browsers do not send to servers.
import { Signal } from "./signal.ts";

export interface MailedCode {
  readonly purpose: "confirm" | "recover";
  readonly code: string;
  /** Of the account to recover. */
  readonly name: string;
}

/** The code with which the page was opened, until it is used. */
export const mailedCode = new Signal<MailedCode | null>(readCode(location.hash));

// A link that is opened in a window with the page does not load it again.
addEventListener("hashchange", () => {
  mailedCode.value = readCode(location.hash);
});

export function readCode(fragment: string): MailedCode | null {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  for (const purpose of ["confirm", "recover"] as const) {
    const code = fields.get(purpose);
    if (code) return { purpose, code, name: fields.get("name") ?? "" };
  }
  return null;
}

/** Remove the code from the address, and with it from the history of the browser. */
export function forgetCode(): void {
  mailedCode.value = null;
  history.replaceState(null, "", location.pathname);
}
