// The player's account: sign in or register as a guest, manage bots and the password.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { BotLinks } from "../components/BotLinks.tsx";
import { NotificationSettings } from "../components/NotificationSettings.tsx";
import { PageLayout } from "../components/PageLayout.tsx";
import { playerPath } from "../components/PlayerName.tsx";
import { createRecoveryCodes, forgetRecoveryCodes, RecoveryCodes } from "../components/RecoveryCodes.tsx";
import { EmailAddress, LinkRequest, MailedLink } from "../components/EmailForms.tsx";
import { Field, Form, textOf } from "../components/Form.tsx";
import { forgetNotifications } from "../state/notifications.ts";
import { useRequest } from "../state/request.ts";
import { updateIdentity, call, reconnectAs, me } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";

export function AccountPage(): VNode {
  const player = useSignal(me);
  return (
    <PageLayout title="Account">
      <h1>{player?.name ?? "Account"}</h1>
      <p class="muted">
        {!player
          ? "Loading…"
          : player.guest
            ? "You are a guest. Only this browser knows your name."
            : "This name is registered. You can sign in with it anywhere."}
      </p>
      <p class="button-row">
        {player && (
          <a class="button" href={playerPath(player.name)}>
            Your profile
          </a>
        )}
        <a class="button" href="/settings">
          Settings
        </a>
        {player && !player.guest && (
          <button type="button" class="button" onClick={() => void signOut(false)}>
            Sign out
          </button>
        )}
      </p>
      {player && <MailedLink />}
      {player && !player.guest && <NotificationSettings />}
      {player?.guest ? <Guest /> : player && <Account name={player.name} />}
    </PageLayout>
  );
}

async function signOut(everywhere: boolean): Promise<void> {
  forgetRecoveryCodes();
  await forgetNotifications().catch(() => undefined);
  await call({ t: "sign_out", everywhere }).catch(() => undefined);
  reconnectAs("");
}

function Guest(): VNode {
  const register = async (form: FormData): Promise<void> => {
    const { you, token } = await call({
      t: "register",
      name: textOf(form, "name"),
      password: String(form.get("password")),
    });
    updateIdentity(you, token);
    await createRecoveryCodes(String(form.get("password"))).catch(() => undefined); // the account page can do so later
  };
  const signIn = async (form: FormData): Promise<void> => {
    const { token } = await call({ t: "sign_in", name: textOf(form, "name"), password: String(form.get("password")) });
    reconnectAs("", token);
  };
  const recover = async (form: FormData): Promise<void> => {
    const { token } = await call({
      t: "recover_account",
      name: textOf(form, "name"),
      code: textOf(form, "code"),
      password: String(form.get("password")),
    });
    reconnectAs("", token);
  };
  return (
    <>
      <Form title="Sign in" button="Sign in" onSend={signIn}>
        <Field name="name" label="Name" autoComplete="username" />
        <Field name="password" label="Password" kind="password" autoComplete="current-password" />
      </Form>
      <Form title="Register" button="Register" onSend={register}>
        <p class="muted">
          Your games and ratings stay with your name. You get recovery codes in case you forget the password.
        </p>
        <Field name="name" label="Name" autoComplete="username" />
        <Field name="password" label="Password, at least 8 characters" kind="password" autoComplete="new-password" />
      </Form>
      <Form title="Forgot your password?" button="Set new password" onSend={recover}>
        <p class="muted">
          Use one of the recovery codes of your account. Without one, ask the operator of this server.
        </p>
        <Field name="name" label="Name" autoComplete="username" />
        <Field name="code" label="Recovery code" autoComplete="one-time-code" />
        <Field
          name="password"
          label="New password, at least 8 characters"
          kind="password"
          autoComplete="new-password"
        />
      </Form>
      <LinkRequest />
      <Form
        title="New guest"
        button="Continue as a new guest"
        onSend={async (form) => reconnectAs(textOf(form, "name"))}
      >
        <Field name="name" label="Name" autoComplete="nickname" />
      </Form>
      <NotificationSettings />
    </>
  );
}

function Account({ name }: { name: string }): VNode {
  const [created, setCreated] = useState<{ name: string; token: string } | null>(null);
  const [changed, setChanged] = useState(false);
  const { answer } = useRequest({ t: "get_profile", name });
  const bots = [...new Set([...(answer?.bots ?? []), ...(created ? [created.name] : [])])].sort();
  const createBot = async (form: FormData): Promise<void> => {
    const { you, token } = await call({ t: "create_bot", name: textOf(form, "name") });
    setCreated({ name: you.name, token });
  };
  const changePassword = async (form: FormData): Promise<void> => {
    await call({ t: "change_password", old: String(form.get("old")), new: String(form.get("new")) });
    setChanged(true);
  };
  return (
    <>
      <Form title="Bots" button="Create bot" onSend={createBot}>
        <p class="muted">
          Your own program can play under its own name. It connects with the token that you create here. Enter the name
          of an existing bot to create a new token.
        </p>
        {bots.length > 0 && <BotLinks bots={bots} />}
        <Field name="name" label="Bot name" autoComplete="off" />
        {created && (
          <p role="status">
            The token of {created.name}, shown only once. Keep it secret: <code class="token">{created.token}</code>
          </p>
        )}
      </Form>
      <Form title="Password" button="Change password" onSend={changePassword}>
        <Field name="old" label="Current password" kind="password" autoComplete="current-password" />
        <Field name="new" label="New password, at least 8 characters" kind="password" autoComplete="new-password" />
        {changed && <p role="status">Password changed. Other devices must sign in again.</p>}
      </Form>
      <RecoveryCodes name={name} />
      <EmailAddress />
      <button type="button" class="button" onClick={() => void signOut(true)}>
        Sign out everywhere
      </button>
    </>
  );
}
