import type { Transaction } from '../../infra/postgres/port.ts'
import { CUT_KINDS, type CutKind } from '../../schemas/domain/vocabulary.ts'
import type { Cuts } from '../../schemas/events/signal.ts'

/** What is kept of a mail beside its text. */
export interface KeptCuts {
  /** Those that there are, at least one unless nothing of them was kept. */
  readonly parts: readonly { readonly kind: CutKind; readonly text: string }[]
  /** How many characters of these were too many to keep. */
  readonly omitted: number
}

// What a member said repeats another has its own row among the signals.
const READ = `
  select cut_signature, cut_quoted, cut_footer, cut_omitted from signals where id = $1
  union all
  select cut_signature, cut_quoted, cut_footer, cut_omitted from occurrences where id = $1 and reason <> 'member'`

/** What a Signal, or a repeat of one, has beside its text; null for what has nothing. Lists of them never read it. */
export const readCuts = async (transaction: Transaction, id: string): Promise<KeptCuts | null> => {
  const [row] = await transaction.query<Cuts>(READ, [id])
  if (row === undefined) return null
  const parts = CUT_KINDS.flatMap(kind => {
    const text = row[`cut_${kind}`]
    return text === null ? [] : [{ kind, text }]
  })
  const omitted = row.cut_omitted ?? 0
  return parts.length === 0 && omitted === 0 ? null : { parts, omitted }
}
