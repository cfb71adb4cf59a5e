// The theme: the setting of the browser client, which is on the same server. Runs before the page is drawn.
(() => {
  const KEY = "parlour.settings";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try {
      return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
    } catch {
      return {};
    }
  };
  const apply = () => {
    const { theme = "system" } = stored();
    const dark = theme === "dark" || (theme === "system" && system.matches);
    document.documentElement.classList.toggle("dark", dark);
    document.getElementById("theme")?.setAttribute("aria-pressed", String(dark));
  };
  apply();
  system.addEventListener("change", apply);
  addEventListener("storage", apply);
  addEventListener("DOMContentLoaded", () => {
    apply();
    document.getElementById("theme").addEventListener("click", () => {
      const theme = document.documentElement.classList.contains("dark") ? "light" : "dark";
      try {
        localStorage.setItem(KEY, JSON.stringify({ ...stored(), theme }));
      } catch {
        // The browser stores nothing.
      }
      apply();
    });
  });
})();
