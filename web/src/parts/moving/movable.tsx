import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { type HTMLAttributes, useState } from 'react'
import { t } from '../../language/messages.ts'
import { useKeys } from '../../shell/keys.ts'
import classes from './movable.module.css'

/** Props of an item in a list that is ordered by hand. */
export interface Movable {
  /** Null when the person may not move it. */
  readonly handle: HTMLAttributes<HTMLElement> | null
  /** The same for its whole element. */
  readonly whole: HTMLAttributes<HTMLElement> | null
  readonly lifted: boolean
  /** Side of the line that shows the target. */
  readonly line: 'above' | 'below' | null
  /** True for a dropped item without a Decision yet. */
  readonly undecided: boolean
  readonly onFocus: () => void
}

/** Attributes of the item's element: `useMoving` finds it by them, and its styles show its state. */
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
  /** Answer of `useMoving` for the item. */
  readonly handle: HTMLAttributes<HTMLElement>
  readonly label: string
  readonly lifted: boolean
}

const HELP = 'moving-help'

/** Handle of an item. The page also contains `MovingHelp`. */
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
  /** Target of the lifted item; null without one. */
  readonly place: string | null
  /** True when the last lifted item kept its place. */
  readonly isLeft: boolean
}

/** Tells screen readers how to use a handle, and the target of the lifted item. */
export const MovingHelp = ({ place, isLeft }: HelpProps) => (
  <>
    <VisuallyHidden id={HELP}>
      {t('Space lifts it. Then the arrow keys move it, Space puts it down, Escape leaves it where it was.')}
    </VisuallyHidden>
    <VisuallyHidden role="status">{place ?? (isLeft && t('It stays where it was.'))}</VisuallyHidden>
  </>
)

/** List of the keys for an item. */
export const OF_ITEM = { list: '[data-movable]' } as const

interface Options {
  /**
   * Items in the shown order, each an element with `data-movable` that contains one with `data-head`, which takes the
   * focus.
   */
  readonly ids: readonly string[]
  /** Name of an item's kind: `Solution`. */
  readonly one: string
  readonly canMove: boolean
}

/** `j` and `k` move between items, `r` to the handle. Answers the focused item, for its keys. */
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
      ? [
          {
            key: 'r',
            does: t('Go to its handle; Space lifts it'),
            ...OF_ITEM,
            run: () => focus(ids[position], 'data-handle'),
          },
        ]
      : []),
  ])
  return { focused: position === -1 ? null : focused, setFocused }
}
