// Recovery codes: how many are left, and new ones with advice on keeping them.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useRequest } from "../state/request.ts";
import { call } from "../state/server.ts";
import { Signal, useSignal } from "../state/signal.ts";
import { Field, Form } from "./Form.tsx";

/** The codes that were just created. They are shown once, so they are stored nowhere. */
const newCodes = new Signal<readonly string[]>([]);

/** Replace the codes of the account, and show the new ones. */
export async function createRecoveryCodes(password: string): Promise<void> {
  newCodes.value = (await call({ t: "create_recovery_codes", password })).codes ?? [];
}

export function forgetRecoveryCodes(): void {
  newCodes.value = [];
}

export function RecoveryCodes({ name }: { name: string }): VNode {
  const codes = useSignal(newCodes);
  const { answer } = useRequest({ t: "get_recovery_codes" });
  const left = codes.length || (answer?.left ?? 0);
  return (
    <Form
      title="Recovery codes"
      button={left ? "Replace the codes" : "Create codes"}
      onSend={(form) => createRecoveryCodes(String(form.get("password")))}
    >
      <p class="muted">
        If you forget your password, a recovery code lets you choose a new one. Each code works once.{" "}
        {answer && `You have ${left} left.`}
      </p>
      {codes.length > 0 && <NewCodes name={name} codes={codes} />}
      <Field name="password" label="Password" kind="password" autoComplete="current-password" />
    </Form>
  );
}

function NewCodes({ name, codes }: { name: string; codes: readonly string[] }): VNode {
  const [copied, setCopied] = useState(false);
  const text = `Recovery codes of ${name} at ${location.host}\n\n${codes.join("\n")}\n`;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div role="status">
      <p>
        <b>Keep these codes somewhere safe.</b> They are shown only now.
      </p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p class="button-row">
        <button type="button" class="button" onClick={() => void copy().catch(() => undefined)}>
          {copied ? "Copied" : "Copy"}
        </button>
        <a
          class="button"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="parlour-recovery-codes.txt"
        >
          Download
        </a>
        <button type="button" class="button" onClick={() => print()}>
          Print
        </button>
      </p>
    </div>
  );
}
