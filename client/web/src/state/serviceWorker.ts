// The service worker, which lets the page start without a network and shows notifications.
import { withPrefix } from "./prefix.ts";
import { navigate } from "./router.ts";

/** Register the service worker once the page has loaded, so that its downloads do not delay anything. */
export function startServiceWorker(): void {
  if (!("serviceWorker" in navigator)) return; // without https
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ open?: string }>) => {
    if (data.open) navigate(data.open); // a notification was clicked
  });
  const register = (): void => {
    navigator.serviceWorker.register(withPrefix("/service-worker.js")).catch(() => undefined); // works without
  };
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}
