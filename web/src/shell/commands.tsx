import { useMantineColorScheme } from '@mantine/core'
import {
  isActionsGroup,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  type SpotlightFilterFunction,
} from '@mantine/spotlight'
import { IconArrowRight, IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { t } from '../language/messages.ts'
import { addressOfReference } from '../parts/reference.tsx'
import { shownScreens } from '../screens.ts'
import { actionsOnScreen } from './actions-on-screen.ts'
import classes from './commands.module.css'
import { fits } from './fits.ts'
import { useAllCommands } from './use-commands.ts'
import { useFound } from './use-found.ts'

/** The group of the screens, and of what else there is to go to. */
const GO_TO = t('Go to')

const THEMES = [
  { scheme: 'light', label: t('Light theme') },
  { scheme: 'dark', label: t('Dark theme') },
  { scheme: 'auto', label: t('Theme of the system') },
] as const

/** What the search found stays; of the others stays what fits, by its name or its group's. */
const keepFitting =
  (found: ReadonlySet<string | undefined>): SpotlightFilterFunction =>
  (query, actions) =>
    actions.flatMap((action): (SpotlightActionData | SpotlightActionGroupData)[] => {
      if (!isActionsGroup(action)) return [action]
      if (found.has(action.group)) return [action]
      const fitting = action.actions.filter(({ label = '' }) => fits(`${label} ${action.group}`, query))
      return fitting.length === 0 ? [] : [{ ...action, actions: fitting }]
    })

interface Props {
  /** Called once it hears its keys. */
  readonly onThere: () => void
}

/** The command palette: every screen, every command and every button of the screen, any reference that is typed, and what the workspace has that fits. */
export const CommandPalette = ({ onThere }: Props) => {
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const go = (address: string) => ({ onClick: () => navigate(address) })
  const address = addressOfReference(query.trim())
  const referenced: SpotlightActionData[] =
    address === null
      ? []
      : [
          {
            id: 'reference',
            label: t('Open {query}', { query: query.trim().toUpperCase() }),
            leftSection: <IconArrowRight size={16} />,
            ...go(address),
          },
        ]
  const found = useFound(query)
  const { setColorScheme } = useMantineColorScheme()
  const appearance = {
    group: t('Appearance'),
    actions: THEMES.map(({ scheme, label }) => ({ id: label, label, onClick: () => setColorScheme(scheme) })),
  }
  const registered = useAllCommands()
  const [onScreen, setOnScreen] = useState<ReturnType<typeof actionsOnScreen>>([])
  const pressing = {
    group: t('On this screen'),
    actions: onScreen
      .filter(({ label }) => !registered.some(command => command.label === label))
      .map(({ label, run }) => ({ id: `On this screen ${label}`, label, onClick: run })),
  }
  const actionsOf = (group: string): SpotlightActionData[] =>
    registered
      .filter(command => command.group === group)
      .map(({ label, run }) => ({ id: `${group} ${label}`, label, onClick: run }))
  const groups = [...new Set(registered.map(({ group }) => group))]
    .filter(group => group !== GO_TO)
    .map(group => ({ group, actions: actionsOf(group) }))
  const screens = {
    group: GO_TO,
    actions: [
      ...shownScreens().map(({ path, title, icon: Icon }) => ({
        id: path,
        label: title,
        leftSection: <Icon size={16} stroke={1.6} />,
        ...go(`/app/${path}`),
      })),
      ...actionsOf(GO_TO),
    ],
  }
  useEffect(onThere, [onThere])
  return (
    <Spotlight
      actions={[
        ...referenced,
        ...groups,
        ...(pressing.actions.length > 0 ? [pressing] : []),
        screens,
        appearance,
        ...found.groups,
      ]}
      filter={keepFitting(new Set(found.groups.map(({ group }) => group)))}
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => setOnScreen(actionsOnScreen())}
      shortcut="mod + K"
      nothingFound={found.isLooking ? t('Looking…') : t('Nothing of that name.')}
      highlightQuery
      attributes={{ content: { 'aria-label': t('Command palette') } }}
      scrollable
      centered={false}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      classNames={{ action: classes.action ?? '' }}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.6} />,
        placeholder: t('Find anything, go to a screen, or run a command'),
        'aria-label': t('Command'),
      }}
    />
  )
}
