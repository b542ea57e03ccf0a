import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

/**
 * A screen’s state that belongs to its address: filters, a tab, what is selected. `defaults` names every field with
 * what it is when the address does not say; a field back at its default leaves the address. Changing it replaces the
 * entry of the history.
 */
export const useUrlState = <State extends Readonly<Record<string, string>>>(defaults: State) => {
  const [parameters, setParameters] = useSearchParams()
  const entry = useLocation().state
  const state = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, parameters.get(name) ?? value]),
    // The names are those of `State`, each with a text.
  ) as { readonly [Name in keyof State]: string }
  // Several changes may come before the address has taken the first.
  const newest = useRef({ parameters, entry })
  useEffect(() => {
    newest.current = { parameters, entry }
  }, [parameters, entry])
  const change = useCallback(
    (changed: { readonly [Name in keyof State]?: string }) => {
      const after = new URLSearchParams(newest.current.parameters)
      for (const [name, value] of Object.entries(changed)) {
        if (value === undefined || value === defaults[name]) after.delete(name)
        else after.set(name, value)
      }
      newest.current = { ...newest.current, parameters: after }
      // What else the entry keeps, such as an open sheet, stays.
      setParameters(after, { replace: true, state: newest.current.entry })
    },
    [setParameters, defaults],
  )
  return [state, change] as const
}

/** What an entry of the history keeps beside its address: which sheet is open above the screen. */
interface Kept {
  readonly sheet?: string
}

/** What a link keeps in the entry of the history that it makes, where it opens a sheet. */
export const openSheet = (name: string): Kept => ({ sheet: name })

/**
 * A sheet above a screen that Back closes, as a phone's Back should: it is an entry of the history, and closing it in
 * another way takes that entry back. `open` takes the fields of the address that say what the sheet shows.
 */
export const useHistorySheet = (name: string) => {
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()
  // Written below, and by `useUrlState`, which keeps it.
  const opened = (state as Kept | null)?.sheet === name
  const open = useCallback(
    (fields: Readonly<Record<string, string>> = {}) => {
      const parameters = new URLSearchParams(search)
      for (const [field, value] of Object.entries(fields)) parameters.set(field, value)
      const address = { pathname, search: parameters.toString() }
      if (!opened || Object.keys(fields).length > 0) navigate(address, { state: openSheet(name) })
    },
    [navigate, opened, pathname, search, name],
  )
  const close = useCallback(() => {
    if (opened) navigate(-1)
  }, [navigate, opened])
  return { opened, open, close }
}

/**
 * A sheet in which a person changes the address, such as the filters of a list: what it says then stays on the way
 * back.
 */
export const useFilterSheet = (name: string) => {
  const sheet = useHistorySheet(name)
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()
  const chosen = useRef<{ readonly pathname: string; readonly search: string } | null>(null)
  useLayoutEffect(() => {
    const before = chosen.current
    chosen.current = sheet.opened ? { pathname, search } : null
    if (sheet.opened || before === null || before.pathname !== pathname || before.search === search) return
    navigate(before, { replace: true, state })
  }, [sheet.opened, navigate, pathname, search, state])
  return sheet
}
