// Who one is here: a guest, or somebody with a name that is kept; and the bots one has.
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { BotLinks } from "../parts/BotLinks.tsx";
import { Frame } from "../parts/Frame.tsx";
import { playerPath } from "../parts/PlayerName.tsx";
import { Refused } from "../parts/Refused.tsx";
import { useAnswer } from "../state/answer.ts";
import { become, call, enterAs, me } from "../state/parlour.ts";
import { useSignal } from "../state/signal.ts";

export function AccountPage(): VNode {
  const player = useSignal(me);
  return (
    <Frame title="You">
      <h1>{player?.name ?? "You"}</h1>
      <p class="muted">
        {!player
          ? "One moment."
          : player.guest
            ? "You are a guest: this name lives in this browser."
            : "This name is kept for you. Sign in with it anywhere."}
      </p>
      <p class="row-of">
        {player && (
          <a class="button" href={playerPath(player.name)}>
            Your page
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
      {player?.guest ? <Guest /> : player && <Account name={player.name} />}
    </Frame>
  );
}

async function signOut(everywhere: boolean): Promise<void> {
  await call({ t: "sign_out", everywhere }).catch(() => undefined);
  enterAs("");
}

/** A form with one button. What is refused is said below it. */
function Form({
  title,
  button,
  onSend,
  children,
}: {
  title: string;
  button: string;
  onSend(form: FormData): Promise<unknown>;
  children: ComponentChildren;
}): VNode {
  const [refused, setRefused] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    setBusy(true);
    setRefused("");
    try {
      await onSend(new FormData(form));
      form.reset();
    } catch (why) {
      setRefused((why as Error).message);
    }
    setBusy(false);
  };
  return (
    <form class="card settings" onSubmit={(event) => void send(event)}>
      <h2>{title}</h2>
      {children}
      <Refused why={refused} />
      <button type="submit" class="button primary" disabled={busy}>
        {button}
      </button>
    </form>
  );
}

function Field({
  name,
  label,
  kind,
  complete,
}: {
  name: string;
  label: string;
  kind?: "password";
  complete: string;
}): VNode {
  return (
    <label class="field wide">
      <span>{label}</span>
      <input type={kind ?? "text"} name={name} required autoComplete={complete} />
    </label>
  );
}

const text = (form: FormData, name: string): string => String(form.get(name) ?? "").trim();

function Guest(): VNode {
  const register = async (form: FormData): Promise<void> => {
    const { you, token } = await call({
      t: "register",
      name: text(form, "name"),
      password: String(form.get("password")),
    });
    become(you, token);
  };
  const signIn = async (form: FormData): Promise<void> => {
    const { token } = await call({ t: "sign_in", name: text(form, "name"), password: String(form.get("password")) });
    enterAs("", token);
  };
  return (
    <>
      <Form title="Sign in" button="Sign in" onSend={signIn}>
        <Field name="name" label="Name" complete="username" />
        <Field name="password" label="Password" kind="password" complete="current-password" />
      </Form>
      <Form title="Keep a name" button="Keep it" onSend={register}>
        <p class="muted">Your games and ratings stay with you. There is no mail: write the password down.</p>
        <Field name="name" label="Name" complete="username" />
        <Field name="password" label="Password, at least 8 characters" kind="password" complete="new-password" />
      </Form>
      <Form title="Another guest" button="Come in as a new guest" onSend={async (form) => enterAs(text(form, "name"))}>
        <Field name="name" label="Name" complete="nickname" />
      </Form>
    </>
  );
}

function Account({ name }: { name: string }): VNode {
  const [made, setMade] = useState<{ name: string; token: string } | null>(null);
  const [changed, setChanged] = useState(false);
  const { answer } = useAnswer({ t: "ask_player", name });
  const bots = [...new Set([...(answer?.bots ?? []), ...(made ? [made.name] : [])])].sort();
  const make = async (form: FormData): Promise<void> => {
    const { you, token } = await call({ t: "make_bot", name: text(form, "name") });
    setMade({ name: you.name, token });
  };
  const change = async (form: FormData): Promise<void> => {
    await call({ t: "change_password", old: String(form.get("old")), new: String(form.get("new")) });
    setChanged(true);
  };
  return (
    <>
      <Form title="Bots" button="Make it" onSend={make}>
        <p class="muted">
          A program of yours can play under a name of its own. It says hello with the token that you get here. The name
          of a bot that you have gives a new token.
        </p>
        {bots.length > 0 && <BotLinks bots={bots} />}
        <Field name="name" label="Name of the bot" complete="off" />
        {made && (
          <p role="status">
            The token of {made.name}, shown only once. Keep it secret: <code class="token">{made.token}</code>
          </p>
        )}
      </Form>
      <Form title="Password" button="Change it" onSend={change}>
        <Field name="old" label="The one you have" kind="password" complete="current-password" />
        <Field name="new" label="The one to have, at least 8 characters" kind="password" complete="new-password" />
        {changed && <p role="status">Changed. Other devices have to sign in again.</p>}
      </Form>
      <button type="button" class="button" onClick={() => void signOut(true)}>
        Sign out everywhere
      </button>
    </>
  );
}
