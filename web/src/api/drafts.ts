import { useSyncExternalStore } from 'react'
import { createWatchers } from '../watchers.ts'
import { chosenWorkspace, DRAFTS, knownPerson } from './accounts.ts'

const { tell, watch } = createWatchers()
/** Drafts for which the browser has no room; they live as long as the page. */
const large = new Map<string, string>()

const keyOf = (name: string): string => `${DRAFTS} ${knownPerson()} ${chosenWorkspace() ?? ''} ${name}`

/** Null without a draft. */
export const readDraft = (name: string): string | null => {
  const key = keyOf(name)
  return large.get(key) ?? sessionStorage.getItem(key)
}

/** Null deletes a draft that was sent or discarded. */
export const keepDraft = (name: string, draft: string | null): void => {
  const key = keyOf(name)
  large.delete(key)
  sessionStorage.removeItem(key)
  if (draft !== null) {
    try {
      sessionStorage.setItem(key, draft)
    } catch {
      large.set(key, draft)
    }
  }
  tell()
}

/** What was written after a text was sent stays; only what was sent goes. */
export const forgetSent = (name: string, sent: string): void => {
  const draft = readDraft(name) ?? ''
  const rest = draft.startsWith(sent) ? draft.slice(sent.length).trimStart() : draft
  keepDraft(name, rest === '' ? null : rest)
}

/** Shows the drafts again after the tab's person has changed. */
export const showDrafts = tell

/**
 * Unsent text under a name such as `comment SOL-12`; null without one. The tab keeps the draft for the person until it
 * is sent or discarded, through leaving or reloading the page and signing out.
 */
export const useDraft = (name: string) => {
  const draft = useSyncExternalStore(watch, () => readDraft(name))
  return [draft, (next: string | null) => keepDraft(name, next)] as const
}
