import { useState } from 'react'
import { t } from '../../../language/messages.ts'

/** An edit that is not a version yet. */
export interface Draft {
  /** The version that it was begun on; 0 where there was none. */
  readonly version: number
  readonly text: string
}

const keyOf = (reference: string): string => t('assay-draft {reference}', { reference })

const stored = (reference: string): Draft | null => {
  const kept = sessionStorage.getItem(keyOf(reference))
  // Written below, and by nobody else.
  return kept === null ? null : (JSON.parse(kept) as Draft)
}

/** The edit of a Solution’s Living Document, kept by this tab until it is saved or thrown away: leaving or reloading the page loses nothing. */
export const useDraft = (reference: string) => {
  const [draft, setDraft] = useState(() => stored(reference))
  const change = (next: Draft | null): void => {
    setDraft(next)
    if (next === null) sessionStorage.removeItem(keyOf(reference))
    else sessionStorage.setItem(keyOf(reference), JSON.stringify(next))
  }
  return [draft, change] as const
}
