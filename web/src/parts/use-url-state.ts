import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

/**
 * A screen's state in its address: filters, a tab, a selection. `defaults` has every field with its default; a field at
 * its default is left out of the address. A change replaces the entry of the history.
 */
export const useUrlState = <State extends Readonly<Record<string, string>>>(defaults: State) => {
  const [parameters, setParameters] = useSearchParams()
  const entry = useLocation().state
  const state = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, parameters.get(name) ?? value]),
    // The names are those of `State`, each with a text.
  ) as { readonly [Name in keyof State]: string }
  const kept = useRef(entry)
  useEffect(() => {
    kept.current = entry
  }, [entry])
  const change = useCallback(
    (changed: { readonly [Name in keyof State]?: string }) => {
      // Reads the browser's address: several changes may come before the router reports the first.
      const after = new URLSearchParams(location.search)
      for (const [name, value] of Object.entries(changed)) {
        if (value === undefined || value === defaults[name]) after.delete(name)
        else after.set(name, value)
      }
      // Keeps the entry's other state, such as an open sheet.
      setParameters(after, { replace: true, state: kept.current })
    },
    [setParameters, defaults],
  )
  return [state, change] as const
}

/** State of a history entry beside its address: the open sheet above the screen. */
interface Kept {
  readonly sheet?: string
}

/** State for a link that opens a sheet. */
export const openSheet = (name: string): Kept => ({ sheet: name })

/**
 * A sheet above a screen that Back closes, as on a phone: it is a history entry, and closing it in another way removes
 * the entry. `open` takes the address fields that select the sheet's content.
 */
export const useHistorySheet = (name: string) => {
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()
  // Only this file and `useUrlState` write the state.
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

/** A sheet that changes the address, such as a list's filters: after closing, the screen keeps the changed address. */
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
