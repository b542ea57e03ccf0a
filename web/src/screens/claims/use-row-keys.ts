import type { RefObject } from 'react'
import { useKeys } from '../../shell/keys.ts'

/** `j` and `k` go through the first links of a list’s rows, which Enter then follows as any link. */
export const useRowKeys = (list: RefObject<HTMLElement | null>): void => {
  const move = (by: 1 | -1) => () => {
    const links = [...(list.current?.children ?? [])].flatMap(row => row.querySelector('a') ?? [])
    // -1 for whatever is no link of the list.
    const place = links.findIndex(link => link.matches(':focus'))
    const to = place < 0 ? 0 : Math.max(0, Math.min(place + by, links.length - 1))
    links[to]?.focus()
  }
  useKeys([
    { key: 'j', does: 'Next claim', run: move(1) },
    { key: 'k', does: 'Previous claim', run: move(-1) },
  ])
}
