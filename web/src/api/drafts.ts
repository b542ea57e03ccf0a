import { useState } from 'react'
import { chosenWorkspace, DRAFTS } from './accounts.ts'

const keyOf = (name: string): string => `${DRAFTS} ${chosenWorkspace() ?? ''} ${name}`

/**
 * What somebody has written and not sent, by what it is about, such as `comment SOL-12`. This tab keeps it until it is
 * sent or thrown away: leaving or reloading the page loses nothing. Null: nothing.
 */
export const useDraft = (name: string) => {
  const [draft, setDraft] = useState(() => sessionStorage.getItem(keyOf(name)))
  const change = (next: string | null): void => {
    setDraft(next)
    if (next === null) sessionStorage.removeItem(keyOf(name))
    else sessionStorage.setItem(keyOf(name), next)
  }
  return [draft, change] as const
}
