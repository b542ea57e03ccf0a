import {
  IconActivityHeartbeat,
  IconBinaryTree2,
  IconBuilding,
  IconChartBar,
  IconColumns3,
  IconDatabaseImport,
  IconFlag,
  IconGitMerge,
  IconInbox,
  IconPlug,
  type IconProps,
  IconQuote,
  IconReportAnalytics,
  IconRobot,
  IconRoute,
  IconStack2,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'

export interface Screen {
  /** Below `/app/`. What follows it belongs to the screen: `claims` is also the screen of `/app/claims/CLM-2`. */
  readonly path: string
  readonly title: string
  /** Where in the navigation; null: links alone lead there. */
  readonly group: ScreenGroup | null
  readonly icon: ComponentType<IconProps>
  /** The screen’s own piece of the bundle, loaded when it is first shown. */
  readonly load?: () => Promise<{ readonly default: ComponentType }>
  /** An HTML page of the server, which the browser loads, is there until the screen is. */
  readonly page?: true
}

export const SCREEN_GROUPS = ['Evidence', 'Plan', 'Understand', 'Run', 'Settings'] as const
type ScreenGroup = (typeof SCREEN_GROUPS)[number]

/** Every screen, in the order of the navigation, one line each. Routes, navigation and palette come from this list. */
export const SCREENS: readonly Screen[] = [
  { path: 'triage', title: 'Triage', group: 'Evidence', icon: IconInbox, page: true },
  { path: 'proposals', title: 'Proposed merges', group: 'Evidence', icon: IconGitMerge, page: true },
  { path: 'claims', title: 'Claims', group: 'Evidence', icon: IconQuote, page: true },
  { path: 'map', title: 'Map', group: 'Evidence', icon: IconBinaryTree2 },
  { path: 'board', title: 'Board', group: 'Plan', icon: IconColumns3, load: () => import('./screens/board/board.tsx') },
  {
    path: 'solutions',
    title: 'Solution',
    group: null,
    icon: IconColumns3,
    load: () => import('./screens/solutions/solution.tsx'),
  },
  { path: 'roadmap', title: 'Roadmap', group: 'Plan', icon: IconRoute },
  { path: 'strategy', title: 'Strategy', group: 'Plan', icon: IconFlag },
  { path: 'groups', title: 'Groups', group: 'Plan', icon: IconStack2 },
  { path: 'reviews', title: 'Reviews', group: 'Understand', icon: IconReportAnalytics },
  { path: 'explore', title: 'Explore', group: 'Understand', icon: IconChartBar },
  { path: 'pipeline', title: 'Pipeline', group: 'Run', icon: IconActivityHeartbeat, page: true },
  { path: 'import-export', title: 'Import & export', group: 'Run', icon: IconDatabaseImport },
  { path: 'settings/sources', title: 'Sources', group: 'Settings', icon: IconPlug, page: true },
  {
    path: 'settings/connect-agents',
    title: 'Connect agents',
    group: 'Settings',
    icon: IconRobot,
    load: () => import('./screens/connect-agents/connect-agents.tsx'),
  },
  { path: 'settings/members', title: 'Members', group: 'Settings', icon: IconUsers },
  { path: 'settings/workspace', title: 'Workspace', group: 'Settings', icon: IconBuilding },
]

/** What the navigation and the palette lead to. */
export const shownScreens = (): readonly Screen[] =>
  SCREENS.filter(({ group, load, page }) => group !== null && (load !== undefined || page === true))
