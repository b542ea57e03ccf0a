import type { Query, QueryClient } from '@tanstack/react-query'
import { Problem } from '../api/http.ts'
import { operationKey } from '../api/operations.ts'

/** So long after a change what is shown is read again, with what else has changed by then. */
const SETTLED_MS = 1000
/** For each second of reading it pauses so many: however much a page shows, and however often it changes. */
const PAUSES = 4
/** What is read again in another way: page by page, in a rhythm of its own, or as somebody goes through it. */
const FOLLOWED_OTHERWISE = new Set<unknown>(['list_signals', 'count_waiting', 'list_merge_groups', 'list_jobs'])
const ROLE = 'list_workspaces'

let isDue = false
let roleTimer = 0
let removedTimer = 0
let earliest = 0

/**
 * Who is no member any more is shown nothing of the workspace, and a viewer no form: while somebody writes, the words
 * stay before them.
 */
const isWriting = (): boolean =>
  document.querySelector('[role="dialog"]') !== null ||
  document.activeElement?.matches('input, textarea, [contenteditable="true"]') === true

const readRole = (queries: QueryClient): void => {
  clearTimeout(roleTimer)
  if (isWriting()) roleTimer = window.setTimeout(() => readRole(queries), SETTLED_MS)
  else void queries.invalidateQueries({ queryKey: operationKey(ROLE) })
}

/** True while a form is filled in that may be about what is gone: its words stay before the person, too. */
const isFillingIn = (): boolean =>
  document.querySelector('[role="dialog"] form') !== null ||
  document.activeElement?.matches('input, textarea, [contenteditable="true"]') === true

const isOfRemoved = ({ state: { data, error } }: Query): boolean =>
  data !== undefined && error instanceof Problem && error.code === 'not_found'

/** What somebody removed or erased is not shown any longer: the screen says that there is nothing. */
const leaveRemoved = (queries: QueryClient): void => {
  clearTimeout(removedTimer)
  if (queries.getQueryCache().findAll({ type: 'active', predicate: isOfRemoved }).length === 0) return
  if (isFillingIn()) removedTimer = window.setTimeout(() => leaveRemoved(queries), SETTLED_MS)
  else void queries.resetQueries({ predicate: isOfRemoved })
}

const readShown = async (queries: QueryClient): Promise<void> => {
  // What changes while it is read is read after it.
  isDue = false
  const begun = performance.now()
  await queries.invalidateQueries({
    predicate: ({ queryKey: [operation] }) => operation !== ROLE && !FOLLOWED_OTHERWISE.has(operation),
  })
  earliest = performance.now() + (performance.now() - begun) * PAUSES
  leaveRemoved(queries)
}

/** Reads again, soon, whatever the page shows, and what the person may do: somebody has changed something. */
export const follow = (queries: QueryClient): void => {
  readRole(queries)
  if (isDue) return
  isDue = true
  setTimeout(() => void readShown(queries), Math.max(SETTLED_MS, earliest - performance.now()))
}
