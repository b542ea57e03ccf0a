import {
  IconActivityHeartbeat,
  IconBinaryTree2,
  IconBuilding,
  IconChartBar,
  IconCircleDashed,
  IconColumns3,
  IconDatabaseImport,
  IconEraser,
  IconFlag,
  IconGavel,
  IconGitMerge,
  IconHistory,
  IconInbox,
  IconListDetails,
  IconMail,
  IconPlug,
  type IconProps,
  IconQuote,
  IconReportAnalytics,
  IconRobot,
  IconRoute,
  IconServerCog,
  IconStack2,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { t } from './language/messages.ts'

export interface Screen {
  /** Below `/app/`. */
  readonly path: string
  /** The screen also shows what addresses below its own name: `claims` is the screen of `/app/claims/CLM-2`. */
  readonly hasPages?: true
  /** What leads there behind `g`. */
  readonly key?: string
  readonly title: string
  /** Where in the navigation; null: links alone lead there. */
  readonly group: ScreenGroup | null
  readonly icon: ComponentType<IconProps>
  /** The screen’s own piece of the bundle, loaded when it is first shown. */
  readonly load?: () => Promise<{ readonly default: ComponentType }>
}

export const SCREEN_GROUPS = ['Evidence', 'Plan', 'Understand', 'Run', 'Settings'] as const
type ScreenGroup = (typeof SCREEN_GROUPS)[number]

/** Every screen, in the order of the navigation, one line each. Routes, navigation and palette come from this list. */
export const SCREENS: readonly Screen[] = [
  {
    path: 'triage',
    key: 't',
    title: t('Triage'),
    group: 'Evidence',
    icon: IconInbox,
    load: () => import('./screens/triage/triage.tsx'),
  },
  {
    path: 'themes',
    hasPages: true,
    key: 'h',
    title: t('Themes'),
    group: 'Evidence',
    icon: IconCircleDashed,
    load: () => import('./screens/themes/themes.tsx'),
  },
  {
    path: 'proposals',
    key: 'p',
    title: t('Proposed merges'),
    group: 'Evidence',
    icon: IconGitMerge,
    load: () => import('./screens/proposals/proposals.tsx'),
  },
  {
    path: 'claims',
    hasPages: true,
    key: 'c',
    title: t('Claims'),
    group: 'Evidence',
    icon: IconQuote,
    load: () => import('./screens/claims/claims.tsx'),
  },
  {
    path: 'signals',
    hasPages: true,
    title: t('Signal'),
    group: null,
    icon: IconInbox,
    load: () => import('./screens/signals/signals.tsx'),
  },
  {
    path: 'inbox',
    title: t('Inbox'),
    group: null,
    icon: IconMail,
    load: () => import('./screens/inbox/inbox.tsx'),
  },
  {
    path: 'decisions',
    hasPages: true,
    key: 'd',
    title: t('Decisions'),
    group: 'Understand',
    icon: IconGavel,
    load: () => import('./screens/decisions/decisions.tsx'),
  },
  {
    path: 'map',
    key: 'm',
    title: t('Map'),
    group: 'Evidence',
    icon: IconBinaryTree2,
    load: () => import('./screens/map/map.tsx'),
  },
  {
    path: 'board',
    key: 'b',
    title: t('Board'),
    group: 'Plan',
    icon: IconColumns3,
    load: () => import('./screens/board/board.tsx'),
  },
  {
    path: 'solutions',
    hasPages: true,
    title: t('Solution'),
    group: null,
    icon: IconColumns3,
    load: () => import('./screens/solutions/solution.tsx'),
  },
  {
    path: 'roadmap',
    key: 'r',
    title: t('Roadmap'),
    group: 'Plan',
    icon: IconRoute,
    load: () => import('./screens/roadmap/roadmap.tsx'),
  },
  {
    path: 'strategy',
    key: 's',
    title: t('Strategy'),
    group: 'Plan',
    icon: IconFlag,
    load: () => import('./screens/strategy/strategy.tsx'),
  },
  {
    path: 'groups',
    hasPages: true,
    title: t('Groups'),
    group: 'Plan',
    icon: IconStack2,
    load: () => import('./screens/groups/groups.tsx'),
  },
  {
    path: 'changes',
    key: 'w',
    title: t('What changed'),
    group: 'Understand',
    icon: IconHistory,
    load: () => import('./screens/changes/changes.tsx'),
  },
  {
    path: 'reviews',
    hasPages: true,
    key: 'v',
    title: t('Product Reviews'),
    group: 'Understand',
    icon: IconReportAnalytics,
    load: () => import('./screens/reviews/reviews.tsx'),
  },
  {
    path: 'explore',
    key: 'e',
    title: t('Explore'),
    group: 'Understand',
    icon: IconChartBar,
    load: () => import('./screens/explore/explore.tsx'),
  },
  {
    path: 'pipeline',
    hasPages: true,
    title: t('Pipeline'),
    group: 'Run',
    icon: IconActivityHeartbeat,
    load: () => import('./screens/pipeline/pipeline.tsx'),
  },
  {
    path: 'import-export',
    title: t('Import & export'),
    group: 'Run',
    icon: IconDatabaseImport,
    load: () => import('./screens/import-export/import-export.tsx'),
  },
  {
    path: 'settings/sources',
    hasPages: true,
    title: t('Sources'),
    group: 'Settings',
    icon: IconPlug,
    load: () => import('./screens/sources/sources.tsx'),
  },
  {
    path: 'settings/connect-agents',
    title: t('Connect agents'),
    group: 'Settings',
    icon: IconRobot,
    load: () => import('./screens/connect-agents/connect-agents.tsx'),
  },
  {
    path: 'settings/members',
    title: t('Members'),
    group: 'Settings',
    icon: IconUsers,
    load: () => import('./screens/members/members.tsx'),
  },
  {
    path: 'settings/workspace',
    title: t('Workspace'),
    group: 'Settings',
    icon: IconBuilding,
    load: () => import('./screens/workspace/workspace.tsx'),
  },
  {
    path: 'settings/erase',
    title: t('Erase'),
    group: 'Settings',
    icon: IconEraser,
    load: () => import('./screens/erase/erase.tsx'),
  },
  {
    path: 'settings/account',
    title: t('Account'),
    group: 'Settings',
    icon: IconUserCircle,
    load: () => import('./screens/own-account/own-account.tsx'),
  },
  {
    path: 'settings/installation',
    title: t('Installation'),
    group: 'Settings',
    icon: IconServerCog,
    load: () => import('./screens/installation/installation.tsx'),
  },
  {
    path: 'settings/audit-log',
    title: t('Audit log'),
    group: null,
    icon: IconListDetails,
    load: () => import('./screens/audit-log/audit-log.tsx'),
  },
]

/** What the navigation and the palette lead to. */
export const shownScreens = (): readonly Screen[] =>
  SCREENS.filter(({ group, load }) => group !== null && load !== undefined)
