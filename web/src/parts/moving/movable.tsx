import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { type HTMLAttributes, useState } from 'react'
import { t } from '../../language/messages.ts'
import { useKeys } from '../../shell/keys.ts'
import classes from './movable.module.css'

/** How a list that is ordered by hand has one of its items drawn. */
export interface Movable {
  /** Null: the person may not move it. */
  readonly handle: HTMLAttributes<HTMLElement> | null
  /** The same for its whole element. */
  readonly whole: HTMLAttributes<HTMLElement> | null
  readonly lifted: boolean
  /** Where the line is that says where the lifted one will stand. */
  readonly line: 'above' | 'below' | null
  /** Whether it was dropped here, and nobody has decided yet. */
  readonly undecided: boolean
  readonly onFocus: () => void
}

/** What the item's element carries: `useMoving` finds it by this, and its styles show how it stands. */
export const movableAttributes = (
  id: string,
  { lifted, line, undecided, onFocus }: Omit<Movable, 'handle' | 'whole'>,
) => ({
  'data-movable': id,
  'data-lifted': lifted || undefined,
  'data-line': line ?? undefined,
  'data-undecided': undecided || undefined,
  onFocus,
})

interface Props {
  /** What `useMoving` answers for the item. */
  readonly handle: HTMLAttributes<HTMLElement>
  /** Names the item. */
  readonly label: string
  readonly lifted: boolean
}

const HELP = 'moving-help'

/** What an item is moved by. The page also holds `MovingHelp`. */
export const Handle = ({ handle, label, lifted }: Props) => (
  <ActionIcon
    {...handle}
    className={classes.handle}
    variant="subtle"
    color="gray"
    size="sm"
    aria-label={label}
    data-handle
    data-chrome
    aria-pressed={lifted}
    aria-describedby={HELP}
  >
    <IconGripVertical size={15} />
  </ActionIcon>
)

interface HelpProps {
  /** Where what is lifted would stand; null while nothing is. */
  readonly place: string | null
}

/** Says to who cannot see it how a handle is used, and where what is lifted would stand. */
export const MovingHelp = ({ place }: HelpProps) => (
  <>
    <VisuallyHidden id={HELP}>
      {t('Space lifts it. Then the arrow keys move it, Space puts it down, Escape leaves it where it was.')}
    </VisuallyHidden>
    <VisuallyHidden role="status">{place}</VisuallyHidden>
  </>
)

interface Options {
  /**
   * The items in the order shown, each an element with `data-movable` and in it one with `data-head`, which takes the
   * focus.
   */
  readonly ids: readonly string[]
  /** What one of them is called: `Solution`. */
  readonly one: string
  readonly canMove: boolean
}

/** `j` and `k` go from item to item, `r` to the handle. Answers the item that has the focus, for keys about it. */
export const useItemKeys = ({ ids, one, canMove }: Options) => {
  const [focused, setFocused] = useState<string | null>(null)
  const position = focused === null ? -1 : ids.indexOf(focused)
  const focus = (id: string | undefined, part: string) =>
    document.querySelector<HTMLElement>(`[data-movable="${id}"] [${part}]`)?.focus()
  const go = (to: number) => focus(ids[Math.min(Math.max(to, 0), ids.length - 1)], 'data-head')
  useKeys([
    { key: 'j', does: t('Next {one}', { one }), run: () => go(position + 1) },
    { key: 'k', does: t('{one} before', { one }), run: () => go(position === -1 ? ids.length : position - 1) },
    ...(canMove
      ? [{ key: 'r', does: t('Go to its handle; Space lifts it'), run: () => focus(ids[position], 'data-handle') }]
      : []),
  ])
  return { focused: position === -1 ? null : focused, setFocused }
}
