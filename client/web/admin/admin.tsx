// The entry point of the page for operators: signing in with a token, the side list, and the chosen view.
import { render, type TargetedSubmitEvent, type VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { AddressesView } from "./addresses.tsx";
import { isSignedIn, read, signIn, signOut } from "./api.ts";
import { ReportsView } from "./reports.tsx";
import { TournamentsView } from "./tournaments.tsx";
import { AuditView, NodesView, OverviewView, PlayersView, PlayerView, TablesView } from "./views.tsx";

const VIEWS = [
  ["", "Overview"],
  ["players", "Players"],
  ["reports", "Reports"],
  ["tables", "Tables"],
  ["tournaments", "Tournaments"],
  ["addresses", "Addresses"],
  ["nodes", "Nodes"],
  ["audit", "Audit log"],
] as const;

function App(): VNode {
  const [operator, setOperator] = useState("");
  const [error, setError] = useState("");
  const check = (): void => {
    read<{ name: string }>("operator").then(
      ({ name }) => setOperator(name),
      (fault: Error) => {
        signOut();
        setError(fault.message);
      },
    );
  };
  useEffect(() => {
    if (isSignedIn()) check();
  }, []);
  if (operator) return <Administration operator={operator} />;
  return <SignIn error={error} onToken={check} />;
}

function SignIn({ error, onToken }: { error: string; onToken: () => void }): VNode {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    signIn(String(new FormData(event.currentTarget).get("token")).trim());
    onToken();
  };
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <h1>Administration</h1>
        <label class="field">
          <span>Your token. It is kept until you close this tab.</span>
          <input type="password" name="token" required autocomplete="off" />
        </label>
        <button type="submit" class="button primary">
          Sign in
        </button>
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
      </form>
    </main>
  );
}

function Administration({ operator }: { operator: string }): VNode {
  const [view = "", id = ""] = useHash();
  return (
    <div class="administration">
      <nav aria-label="Administration">
        <p class="brand">Parlour</p>
        <p>Operator: {operator}</p>
        {VIEWS.map(([key, label]) => (
          <a key={key} href={`#/${key}`} aria-current={key === view ? "page" : undefined}>
            {label}
          </a>
        ))}
        <button
          type="button"
          class="button"
          onClick={() => {
            signOut();
            location.reload();
          }}
        >
          Sign out
        </button>
      </nav>
      <main>{chosen(view, id)}</main>
    </div>
  );
}

function chosen(view: string, id: string): VNode {
  switch (view) {
    case "players":
      return id ? <PlayerView who={id} key={id} /> : <PlayersView />;
    case "reports":
      return <ReportsView report={id} />;
    case "tables":
      return <TablesView room={id} key={id} />;
    case "tournaments":
      return <TournamentsView chosen={id} key={id} />;
    case "addresses":
      return <AddressesView chosen={id} key={id} />;
    case "nodes":
      return <NodesView node={id} key={id} />;
    case "audit":
      return <AuditView />;
    default:
      return <OverviewView />;
  }
}

/** The parts of the path after the hash. */
function useHash(): string[] {
  const parts = (): string[] => location.hash.replace(/^#\//, "").split("/").map(decodeURIComponent);
  const [found, setFound] = useState(parts);
  useEffect(() => {
    const change = (): void => setFound(parts());
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  return found;
}

if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.classList.add("dark");
render(<App />, document.getElementById("app")!);
