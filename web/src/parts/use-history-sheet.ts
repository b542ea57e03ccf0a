import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** What an entry of the history keeps beside its address: which sheet is open above the screen. */
interface Kept {
  readonly sheet?: string
}

/**
 * A sheet above a screen that Back closes, as a phone's Back should: it is an entry of the history, and closing it in
 * another way takes that entry back.
 */
export const useHistorySheet = (name: string) => {
  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()
  // Written below, and by `useUrlState`, which keeps it.
  const opened = (state as Kept | null)?.sheet === name
  const open = useCallback(() => {
    if (!opened) navigate({ pathname, search }, { state: { sheet: name } satisfies Kept })
  }, [navigate, opened, pathname, search, name])
  const close = useCallback(() => {
    if (opened) navigate(-1)
  }, [navigate, opened])
  return { opened, open, close }
}
