import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'

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
