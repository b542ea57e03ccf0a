import type { HTMLAttributes } from 'react'

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
