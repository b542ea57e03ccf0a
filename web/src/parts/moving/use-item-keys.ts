import { useState } from 'react'
import { t } from '../../language/messages.ts'
import { useKeys } from '../../shell/keys.ts'

interface Options {
  /** The items in the order shown, each an element with `data-movable` and in it one with `data-head`, which takes the focus. */
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
