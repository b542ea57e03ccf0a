import { Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { IconArrowRight, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { addressOfReference } from '../parts/reference.tsx'
import { shownScreens } from '../screens.ts'
import classes from './commands.module.css'
import { useAllCommands } from './use-commands.ts'

/** The command palette: every screen, what the shown screen adds, and any reference that is typed. */
export const CommandPalette = () => {
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
            label: `Open ${query.trim().toUpperCase()}`,
            leftSection: <IconArrowRight size={16} />,
            ...go(address),
          },
        ]
  const registered = useAllCommands()
  const groups = [...new Set(registered.map(({ group }) => group))].map(group => ({
    group,
    actions: registered
      .filter(command => command.group === group)
      .map(({ label, run }) => ({ id: `${group} ${label}`, label, onClick: run })),
  }))
  const screens = {
    group: 'Go to',
    actions: shownScreens().map(({ path, title, icon: Icon }) => ({
      id: path,
      label: title,
      leftSection: <Icon size={16} stroke={1.6} />,
      ...go(`/app/${path}`),
    })),
  }
  return (
    <Spotlight
      actions={[...referenced, ...groups, screens]}
      query={query}
      onQueryChange={setQuery}
      shortcut="mod + K"
      nothingFound="Nothing of that name."
      highlightQuery
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      scrollable
      centered={false}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      classNames={{ action: classes.action ?? '' }}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.6} />,
        placeholder: 'Go to a screen, run a command, or type a reference: SIG-7',
        'aria-label': 'Command',
      }}
    />
  )
}
