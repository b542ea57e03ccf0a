import { Text, useMantineColorScheme } from '@mantine/core'
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { IconArrowRight } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { fits } from '../../../schemas/domain/fits.ts'
import { useRole } from '../api/operations.ts'
import { t } from '../language/messages.ts'
import { addressOfReference } from '../parts/inline.tsx'
import { shownScreens } from '../screens.ts'
import { type CommandGroup, CommandList } from './command-list.tsx'
import { keycapsOf, useBoundKeys } from './keys.ts'
import { useAllCommands } from './registered.ts'
import { useFound } from './use-found.ts'

interface ScreenAction {
  readonly label: string
  readonly run: () => void
}

const MAX_COMMANDS = 100
const BUTTONS = '#main button:not(:disabled):not([role=combobox]), #main [role=button]:not([aria-disabled=true])'

/** What a button is called, without what only shows: icons and keycaps. */
const nameOf = (button: HTMLElement): string => {
  const label = button.getAttribute('aria-label')
  if (label !== null) return label.trim()
  const shown = button.cloneNode(true) as HTMLElement
  for (const each of shown.querySelectorAll('[aria-hidden]')) each.remove()
  return (shown.textContent ?? '').replace(/\s+/g, ' ').trim()
}

/** The buttons that can be pressed, by their names. Of several with one name nobody could say which is meant. */
const buttonsByName = (): ReadonlyMap<string, HTMLElement> => {
  const found = new Map<string, HTMLElement>()
  const several = new Set<string>()
  for (const button of document.querySelectorAll<HTMLElement>(BUTTONS)) {
    const name = nameOf(button)
    if (name === '' || !button.checkVisibility()) continue
    if (found.has(name)) several.add(name)
    else found.set(name, button)
  }
  for (const name of several) found.delete(name)
  return found
}

/** Everything that the screen has a button for at the moment, as a command that presses it. */
const actionsOnScreen = (): readonly ScreenAction[] =>
  [...buttonsByName().keys()]
    .slice(0, MAX_COMMANDS)
    // It may have been drawn anew since.
    .map(label => ({ label, run: () => buttonsByName().get(label)?.click() }))

/** The group of the screens, and of what else there is to go to. */
const GO_TO = t('Go to')

const THEMES = [
  { scheme: 'light', label: t('Light theme') },
  { scheme: 'dark', label: t('Dark theme') },
  { scheme: 'auto', label: t('Theme of the system') },
] as const

/** What people look for that a screen is not called: what can be done there, in other words. */
const ALSO_FOUND_BY: Readonly<Record<string, string>> = {
  triage: t('snooze accept dismiss feedback'),
  themes: t('topics clusters'),
  proposals: t('duplicates same merge'),
  claims: t('problems opportunities evidence'),
  map: t('taxonomy tree areas'),
  board: t('Solutions backlog priority kanban'),
  roadmap: t('now next later plan'),
  strategy: t('vision objectives bets goals'),
  changes: t('history undo activity'),
  reviews: t('report'),
  explore: t('analytics figures charts statistics'),
  pipeline: t('dead letters jobs health'),
  'import-export': t('upload CSV file download'),
  'settings/sources': t('webhook mail address connect integration'),
  'settings/connect-agents': t('MCP API key'),
  'settings/members': t('invite invitation colleague people team role'),
  'settings/workspace': t('rename rules name'),
  'settings/erase': t('delete personal data retention privacy'),
  'settings/account': t('password passkey second factor language sign-in profile'),
  'settings/installation': t('administrators workspaces users'),
}

/** Screens on which nothing can be done without being an owner. */
const FOR_OWNERS: ReadonlySet<string> = new Set(['settings/erase'])

/** What the search found stays; of the others stays what fits, by its name or its group's. */
const fitting = (groups: readonly CommandGroup[], found: readonly CommandGroup[], query: string) =>
  [
    ...groups.map(({ group, actions }) => ({
      group,
      actions: actions.filter(({ label = '', keywords = '' }) => fits(`${label} ${group} ${keywords}`, query)),
    })),
    ...found,
  ].filter(({ actions }) => actions.length > 0)

interface Props {
  /** Called once it hears its keys. */
  readonly onThere: () => void
}

/**
 * The command palette: every screen, every command and every button of the screen, any reference that is typed, and
 * what the workspace has that fits.
 */
export const CommandPalette = ({ onThere }: Props) => {
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const go = (address: string) => ({ onClick: () => navigate(address) })
  const address = addressOfReference(query.trim())
  const referenced: CommandGroup[] =
    address === null
      ? []
      : [
          {
            group: t('Reference'),
            actions: [
              {
                id: 'reference',
                label: t('Open {query}', { query: query.trim().toUpperCase() }),
                leftSection: <IconArrowRight size={16} />,
                ...go(address),
              },
            ],
          },
        ]
  const found = useFound(query)
  const { setColorScheme } = useMantineColorScheme()
  const appearance = {
    group: t('Appearance'),
    actions: THEMES.map(({ scheme, label }) => ({ id: label, label, onClick: () => setColorScheme(scheme) })),
  }
  const registered = useAllCommands()
  const keys = useBoundKeys()
  /** The key that does what a command is called, which a screen may call with three dots. */
  const keyOf = (does: string) => {
    const bound = keys.find(each => each.does === does.replace('…', ''))
    if (bound === undefined) return {}
    return {
      rightSection: (
        <Text size="xs" c="dimmed" aria-hidden data-keyboard>
          {keycapsOf(bound.key).join(' ')}
        </Text>
      ),
    }
  }
  const [onScreen, setOnScreen] = useState<ReturnType<typeof actionsOnScreen>>([])
  const pressing = {
    group: t('On this screen'),
    actions: onScreen
      .filter(({ label }) => !registered.some(command => command.label === label))
      .filter(({ label }) => !shownScreens().some(({ title }) => title === label))
      .map(({ label, run }) => ({ id: `On this screen ${label}`, label, onClick: run, ...keyOf(label) })),
  }
  const actionsOf = (group: string): SpotlightActionData[] =>
    registered
      .filter(command => command.group === group)
      .map(({ label, run }) => ({ id: `${group} ${label}`, label, onClick: run, ...keyOf(label) }))
  const groups = [...new Set(registered.map(({ group }) => group))]
    .filter(group => group !== GO_TO)
    .map(group => ({ group, actions: actionsOf(group) }))
  const role = useRole()
  const offered = shownScreens().filter(({ path }) => role === 'owner' || !FOR_OWNERS.has(path))
  const screens = {
    group: GO_TO,
    actions: [
      ...offered.map(({ path, title, icon: Icon }) => ({
        id: path,
        label: title,
        keywords: ALSO_FOUND_BY[path] ?? '',
        leftSection: <Icon size={16} stroke={1.6} />,
        ...keyOf(t('Go to {title}', { title })),
        ...go(`/app/${path}`),
      })),
      ...actionsOf(GO_TO),
    ],
  }
  useEffect(onThere, [onThere])
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => setOnScreen(actionsOnScreen())}
      shortcut="mod + K"
      attributes={{ content: { 'aria-label': t('Command palette') } }}
      scrollable
      centered={false}
      // Where a page is enlarged, the results have the window's height.
      yOffset="min(5rem, 3dvh)"
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      // What is chosen has the focus then, which is not what had it before.
      returnFocus={false}
    >
      <CommandList
        query={query}
        isLooking={found.isLooking}
        groups={[...referenced, ...fitting([...groups, pressing, screens, appearance], found.groups, query)]}
      />
    </Spotlight.Root>
  )
}
