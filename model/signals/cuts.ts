import type { Transaction } from '../../infra/postgres/port.ts'
import { CUT_KINDS, type CutKind } from '../../schemas/domain/vocabulary.ts'
import type { Cuts } from '../../schemas/events/signal.ts'

/** Parts of a mail beside its text. */
export interface KeptCuts {
  /** Stored parts; empty only when none was stored. */
  readonly parts: readonly { readonly kind: CutKind; readonly text: string }[]
  /** Characters of these parts that were too many to store. */
  readonly omitted: number
}

// A marked repeat has its own row among the signals.
const READ = `
  select cut_signature, cut_quoted, cut_footer, cut_omitted from signals where id = $1
  union all
  select cut_signature, cut_quoted, cut_footer, cut_omitted from occurrences where id = $1 and reason <> 'member'`

/** Cut parts of a Signal or a repeat; null without any. Lists never read them. */
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
