import { useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { t } from '../language/messages.ts'
import { useKeys } from './keys.ts'

const ROWS = 'main :is(tbody > tr, ul > li, ol > li)'
const TARGETS = 'a[href], button:not(:disabled), summary'

/** What Enter acts on, of each row of each list that is shown; of rows within rows, of the inner ones. */
const targets = (): readonly HTMLElement[] =>
  [...document.querySelectorAll(ROWS)].flatMap(row => {
    const [target] = row.querySelector(ROWS) === null ? row.querySelectorAll<HTMLElement>(TARGETS) : []
    return target?.checkVisibility() === true ? [target] : []
  })

/** By the screen that shows one of a kind, the screen that lists them. */
const LISTS: Readonly<Record<string, string>> = {
  claims: 'claims',
  decisions: 'decisions',
  groups: 'groups',
  reviews: 'reviews',
  signals: 'triage',
  solutions: 'board',
}

/** The list of what the page at an address shows one of; null: it shows no such thing. */
const listAbove = (path: string): string | null => {
  const [, screen = ''] = /^\/app\/([^/]+)\/./.exec(path) ?? []
  return LISTS[screen] === undefined ? null : `/app/${LISTS[screen]}`
}

/** Somebody is writing something that leaving would lose. */
const isWriting = (): boolean =>
  [...document.querySelectorAll<HTMLTextAreaElement>('main textarea')].some(({ value }) => value !== '')

/**
 * `j` and `k` in every list of the app: they move the focus to what the row leads to, which Enter follows and Esc comes back from.
 * A screen that knows more of its list binds the keys itself.
 */
export const useListKeys = (): void => {
  const navigate = useNavigate()
  const { pathname, key } = useLocation()
  const before = useRef({ here: pathname, last: '' })
  useLayoutEffect(() => {
    if (before.current.here !== pathname) before.current = { here: pathname, last: before.current.here }
  }, [pathname])

  const move = (by: 1 | -1) => () => {
    const all = targets()
    const row = document.activeElement?.closest(ROWS)
    const now = row === null ? -1 : all.findIndex(target => target.closest(ROWS) === row)
    // Back from what a row led to, the keys go on at that row.
    const left = now >= 0 ? now : all.findIndex(target => target.getAttribute('href') === before.current.last)
    const to = now >= 0 ? now + by : Math.max(left, 0)
    all[Math.max(0, Math.min(to, all.length - 1))]?.focus()
  }
  const leave = () => {
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && activeElement.closest(ROWS) !== null) return activeElement.blur()
    const list = listAbove(pathname)
    if (list === null || isWriting()) return
    // As the person left it: with its filters, and where it was scrolled to. `default` is the first page of the visit.
    if (key !== 'default' && before.current.last === list) navigate(-1)
    else navigate(list)
  }
  useKeys([
    { key: 'j', does: t('Next line'), run: move(1), givesWay: true },
    { key: 'k', does: t('Previous line'), run: move(-1), givesWay: true },
    { key: 'Escape', does: t('Leave the line, or go back to the list'), run: leave, givesWay: true },
  ])
}
