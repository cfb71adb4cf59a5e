// The banned addresses and networks.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ActionForm, type Choice } from "./ActionForm.tsx";
import type { AddressBan } from "./api.ts";
import { moment } from "./format.ts";
import { Card, Fault } from "./lists.tsx";
import { useLoaded } from "./useLoaded.ts";

const ON_ADDRESS: Choice[] = [
  {
    action: "ban",
    label: "Ban for a while",
    effect: "Players there are disconnected and cannot return. You can undo this.",
    field: "until",
    hurts: true,
  },
  { action: "unban", label: "Lift the ban", effect: "Players there are served again." },
];

export function AddressesView({ chosen }: { chosen: string }): VNode {
  const { value, error, reload } = useLoaded<AddressBan[]>("addresses");
  const [prefix, setPrefix] = useState(chosen);
  return (
    <>
      <header>
        <h1>Addresses</h1>
        <p>Many people can share an address: a household, a school, a mobile network.</p>
      </header>
      <div class="columns">
        <Card title="Banned">
          <Fault text={error} />
          {value?.length === 0 && <p class="empty">None.</p>}
          <ul class="rows">
            {(value ?? []).map(({ network, until, reason }) => (
              <li key={network}>
                <a href={`#/addresses/${encodeURIComponent(network)}`}>
                  <b>{network}</b>
                </a>
                <small>
                  {until ? `until ${moment(until)}` : "for good"} · {reason}
                </small>
              </li>
            ))}
          </ul>
        </Card>
        <div>
          <label class="field card">
            <span>Address or network, such as 192.0.2.0/24</span>
            <input type="text" value={prefix} onInput={(event) => setPrefix(event.currentTarget.value)} />
          </label>
          {prefix && (
            <ActionForm title="Decide" path={["addresses", prefix.trim()]} choices={ON_ADDRESS} onDone={reload} />
          )}
        </div>
      </div>
    </>
  );
}
