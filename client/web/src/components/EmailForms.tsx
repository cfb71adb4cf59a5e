// The e-mail address of an account, and the forms that the links in e-mails open.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { forgetCode, mailedCode } from "../state/mailedCode.ts";
import { useRequest } from "../state/request.ts";
import { call, reconnectAs } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { Field, Form, textOf } from "./Form.tsx";

/** Set or remove the address. Where the operator has set up no mail server, an address can only be removed. */
export function EmailAddress(): VNode | null {
  const [entered, setEntered] = useState<string | null>(null);
  const { answer } = useRequest({ t: "get_email" });
  const address = entered === "" ? "" : (answer?.address ?? "");
  if (!answer || (!answer.offered && !address)) return null;
  const set = async (form: FormData): Promise<void> => {
    const to = textOf(form, "address");
    await call({ t: "set_email", address: to, password: String(form.get("password")) });
    setEntered(to);
  };
  return (
    <Form title="E-mail" button={address ? "Change or remove" : "Add address"} onSend={set}>
      <p class="muted">
        {address ? (
          <>
            If you forget your password, a link is sent to <b>{address}</b>.
          </>
        ) : (
          "Optional. If you forget your password, a link is sent to this address. It is used for nothing else."
        )}
      </p>
      <Field
        name="address"
        label={address ? "New address, or nothing to remove it" : "Address"}
        kind="email"
        optional={Boolean(address)}
        autoComplete="email"
      />
      <Field name="password" label="Password" kind="password" autoComplete="current-password" />
      {entered !== null && (
        <p role="status">
          {entered ? `Open the link in the e-mail to ${entered}. It works for an hour.` : "The address was removed."}
        </p>
      )}
    </Form>
  );
}

/** Ask for a link to choose a new password, if the server sends e-mails. */
export function LinkRequest(): VNode | null {
  const { answer } = useRequest({ t: "get_email" });
  const [isSent, setSent] = useState(false);
  if (!answer?.offered) return null;
  const request = async (form: FormData): Promise<void> => {
    await call({ t: "request_recovery", name: textOf(form, "name") });
    setSent(true);
  };
  return (
    <Form title="Get a link by e-mail" button="Send link" onSend={request}>
      <p class="muted">For a forgotten password, if you have added an e-mail address to your account.</p>
      <Field name="name" label="Name" autoComplete="username" />
      {isSent && (
        <p role="status">
          If this account has an e-mail address, a link is on its way. It works for an hour. Nothing there? Look among
          the unwanted e-mails.
        </p>
      )}
    </Form>
  );
}

/** The form for the link with which the page was opened. */
export function MailedLink(): VNode | null {
  const mailed = useSignal(mailedCode);
  const [isConfirmed, setConfirmed] = useState(false);
  useEffect(() => {
    if (mailed) scrollTo(0, 0); // the link may have been opened in a window that shows the page already
  }, [mailed]);
  if (!mailed) return isConfirmed ? <p role="status">Your e-mail address is confirmed.</p> : null;
  const { purpose, code, name } = mailed;
  if (purpose === "confirm") {
    const confirm = async (): Promise<void> => {
      await call({ t: "confirm_email", code });
      forgetCode();
      setConfirmed(true);
    };
    return (
      <Form title="Confirm your e-mail address" button="Confirm" onSend={confirm}>
        <p class="muted">Then a link can be sent there if you forget your password.</p>
      </Form>
    );
  }
  const recover = async (form: FormData): Promise<void> => {
    const { token } = await call({ t: "recover_account", name, code, password: String(form.get("password")) });
    forgetCode();
    reconnectAs("", token);
  };
  return (
    <Form title={`Choose a new password for ${name}`} button="Set new password" onSend={recover}>
      <p class="muted">You are signed in here then, and signed out on all other devices.</p>
      <input type="hidden" name="username" autoComplete="username" value={name} />
      <Field name="password" label="New password, at least 8 characters" kind="password" autoComplete="new-password" />
    </Form>
  );
}
