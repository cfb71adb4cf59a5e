import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import { defineConfig } from "eslint/config";
import typescript from "typescript-eslint";

export default defineConfig(
  { ignores: ["node_modules"] },
  js.configs.recommended,
  typescript.configs.recommended,
  {
    files: ["**/*.mjs"],
    languageOptions: { globals: { Buffer: "readonly", console: "readonly", process: "readonly" } },
  },
  {
    files: ["src/**", "admin/**"],
    plugins: { "react-hooks": hooks },
    rules: { "react-hooks/rules-of-hooks": "error", "react-hooks/exhaustive-deps": "error" },
  },
);
