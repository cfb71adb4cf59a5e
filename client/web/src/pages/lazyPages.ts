// Pages that few visits start with. They are loaded together when the first of them is opened.
export { AccountPage } from "./AccountPage.tsx";
export { EditorPage } from "./EditorPage.tsx";
export { GamesPage } from "./GamesPage.tsx";
export { LeaderboardPage } from "./LeaderboardPage.tsx";
export { LessonPage } from "./LessonPage.tsx";
export { PlayerPage } from "./PlayerPage.tsx";
export { RecordPage } from "./RecordPage.tsx";
export { StudyPage } from "./StudyPage.tsx";
export { RulesPage } from "./RulesPage.tsx";
export { SettingsPage } from "./SettingsPage.tsx";
export { TablePage } from "./TablePage.tsx";
export { TournamentPage } from "./TournamentPage.tsx";
export { TournamentsPage } from "./TournamentsPage.tsx";
export { WatchPage } from "./WatchPage.tsx";
export { NewTableDialog } from "../components/NewTableDialog.tsx";
export { loadMarkdown } from "../components/Markdown.tsx";
