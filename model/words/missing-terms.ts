import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { withinRest } from '../../infra/runtime/cpu-budget.ts'
import { READ_CHARACTERS, termsOf } from '../../infra/word-index/terms.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { lockWorkspaces } from '../signals/scope.ts'
import { storeLackingTerms } from './stored-terms.ts'

const PAGE = 500

const WITHOUT_TERMS = `
  select id, number, left(text, ${READ_CHARACTERS}) as text from signals
  where workspace_id = $1 and number > $2
    and not exists (select from signal_terms where signal_id = signals.id and signal_terms.id = signals.id offset 0)
  order by number
  limit ${PAGE}`

const COUNT_SIGNALS = `
  select workspace_id as id, sum(signals)::int as signals from signal_counts where workspace_id = any ($1::uuid[]) group by workspace_id`

/** Those of the workspaces that have more signals than are known to have words. */
export const lackingTerms = async (
  transaction: Transaction,
  workspaces: readonly { readonly workspaceId: WorkspaceId; readonly known: number }[],
): Promise<readonly WorkspaceId[]> => {
  const rows = await transaction.query<{ id: WorkspaceId; signals: number }>(COUNT_SIGNALS, [
    workspaces.map(({ workspaceId }) => workspaceId),
  ])
  const stored = new Map(rows.map(({ id, signals }) => [id, signals]))
  return workspaces.flatMap(({ workspaceId, known }) => ((stored.get(workspaceId) ?? 0) > known ? [workspaceId] : []))
}

interface Row {
  readonly id: SignalId
  readonly number: number
  readonly text: string
}

/** Stores the words of signals that have none: those that were stored before words were, or that were imported. */
export const storeMissingTerms = async (database: Database, workspaceId: WorkspaceId): Promise<void> => {
  const scope = { role: 'assay_pipeline' as const, workspaceIds: [workspaceId] }
  let after: number | null = 0
  while (after !== null) {
    const from: number = after
    after = await database.transaction(scope, async transaction => {
      await lockWorkspaces(transaction, [workspaceId], 'signals')
      const rows = await transaction.query<Row>(WITHOUT_TERMS, [workspaceId, from])
      const said = withinRest(() =>
        rows.map(({ id, text }) => ({ workspaceId, signalId: id, id, terms: termsOf(text) })),
      )
      await storeLackingTerms(transaction, said)
      return rows.length < PAGE ? null : (rows.at(-1)?.number ?? null)
    })
  }
}
