import { SOLUTION_STATES } from '../../schemas/domain/vocabulary.ts'
import { analyzeClaims } from '../operations/claims/analyze-claims.ts'
import { lookupSearch } from '../operations/search/lookup-search.ts'
import { lookupBacklog } from '../operations/solutions/lookup-backlog.ts'
import type { Ask, Completion } from './define-prompt.ts'

const MOST = 20

interface Listed {
  readonly items: readonly { readonly reference: string | null }[]
}

const referencesOf = async (ask: Ask, ...asked: Parameters<Ask>): Promise<string[]> => {
  // Each of these lists has references.
  const { items } = (await ask(...asked)).data as Listed
  return items.flatMap(({ reference }) => reference ?? [])
}

/** References of what the typed words find; of what stands first while nothing is typed. */
const found = (type: 'claim' | 'solution', query: string, ask: Ask): Promise<string[]> =>
  referencesOf(ask, lookupSearch, { query, types: [type], depth: 'summary', limit: MOST })

export const claims: Completion = (typed, ask) =>
  typed.trim() === '' ? referencesOf(ask, analyzeClaims, { limit: MOST }) : found('claim', typed, ask)

export const solutions: Completion = (typed, ask) =>
  typed.trim() === ''
    ? referencesOf(ask, lookupBacklog, { states: [...SOLUTION_STATES], depth: 'summary' })
    : found('solution', typed, ask)
