// Pages that few visits begin with. They are fetched together when the first of them is wanted.
export { AccountPage } from "./AccountPage.tsx";
export { EditorPage } from "./EditorPage.tsx";
export { GamesPage } from "./GamesPage.tsx";
export { LeadersPage } from "./LeadersPage.tsx";
export { PlayerPage } from "./PlayerPage.tsx";
export { RecordPage } from "./RecordPage.tsx";
export { RulesPage } from "./RulesPage.tsx";
export { NewTable } from "../parts/NewTable.tsx";
