// The service worker, which lets the page start without a network.
import { withPrefix } from "./prefix.ts";

/** Register the service worker once the page has loaded, so that its downloads do not delay anything. */
export function startServiceWorker(): void {
  if (!("serviceWorker" in navigator)) return; // without https
  const register = (): void => {
    navigator.serviceWorker.register(withPrefix("/service-worker.js")).catch(() => undefined); // works without
  };
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}
