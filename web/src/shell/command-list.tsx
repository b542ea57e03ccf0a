import { Highlight, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { Spotlight, type SpotlightActionData, spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { plural, t } from '../language/messages.ts'
import classes from './commands.module.css'

export interface CommandGroup {
  readonly group: string
  readonly actions: readonly SpotlightActionData[]
}

interface Props {
  readonly query: string
  readonly isLooking: boolean
  readonly groups: readonly CommandGroup[]
}

const LIST = 'commands'
const idOf = (place: number): string => `${LIST}-${place}`

/**
 * The field of the palette and what fits it: a combobox with its listbox. The field keeps the focus, arrows go from
 * option to option, and Enter runs the one that is active.
 */
export const CommandList = ({ query, isLooking, groups }: Props) => {
  const all = groups.flatMap(({ actions }) => actions)
  // Nothing is active until somebody types or presses an arrow: Enter would run what nobody asked for.
  const [chosen, setChosen] = useState({ query, id: '' })
  const place = all.findIndex(({ id }) => id === chosen.id && chosen.query === query)
  const active = place < 0 && query !== '' && all.length > 0 ? 0 : place
  useEffect(() => {
    document.getElementById(idOf(active))?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') document.getElementById(idOf(active))?.click()
    if (step === undefined || all.length === 0) return
    const next = active < 0 && step < 0 ? all.length - 1 : (active + step + all.length) % all.length
    setChosen({ query, id: all[next]?.id ?? '' })
  }
  const nothing = isLooking ? t('Looking…') : t('Nothing has this name.')
  return (
    <>
      <Spotlight.Search
        leftSection={<IconSearch size={18} stroke={1.6} />}
        placeholder={t('Find anything, go to a screen, or run a command')}
        aria-label={t('Command')}
        role="combobox"
        // What is typed before the palette has the focus is for it, too.
        data-autofocus
        aria-expanded={all.length > 0}
        aria-controls={LIST}
        aria-autocomplete="list"
        aria-activedescendant={active < 0 ? undefined : idOf(active)}
        onKeyDown={pressed}
      />
      <div id={LIST} role="listbox" aria-label={t('Commands')} aria-busy={isLooking} className={classes.list}>
        {groups.map(({ group, actions }) => (
          <Spotlight.ActionsGroup key={group} label={group} role="group" aria-label={group}>
            {actions.map(action => {
              const at = all.indexOf(action)
              return <Command key={action.id} action={action} id={idOf(at)} isActive={at === active} query={query} />
            })}
          </Spotlight.ActionsGroup>
        ))}
      </div>
      {all.length === 0 && <Spotlight.Empty>{nothing}</Spotlight.Empty>}
      <VisuallyHidden role="status">
        {all.length === 0 ? nothing : plural(all.length, '{number} result', '{number} results')}
      </VisuallyHidden>
    </>
  )
}

interface CommandProps {
  readonly action: SpotlightActionData
  readonly id: string
  readonly isActive: boolean
  /** What was typed, which is marked in its label. */
  readonly query: string
}

/** One option, as Spotlight's own looks, which takes no id. */
const Command = ({ action, id, isActive, query }: CommandProps) => {
  const { label = '', description, leftSection, rightSection, onClick } = action
  const { action: whole, actionBody, actionLabel, actionDescription, actionSection } = Spotlight.classes
  return (
    <UnstyledButton
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      data-selected={isActive || undefined}
      className={`${whole} ${classes.action}`}
      // The field keeps the focus.
      onMouseDown={event => event.preventDefault()}
      onClick={event => {
        onClick?.(event)
        spotlight.close()
      }}
    >
      {leftSection !== undefined && (
        <span className={actionSection} data-position="left" data-dimmed>
          {leftSection}
        </span>
      )}
      <span className={actionBody}>
        <Highlight component="span" highlight={query} className={actionLabel}>
          {label}
        </Highlight>
        {description !== undefined && <span className={actionDescription}>{description}</span>}
      </span>
      {rightSection !== undefined && (
        <span className={actionSection} data-position="right" data-dimmed>
          {rightSection}
        </span>
      )}
    </UnstyledButton>
  )
}
