import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { CLAIM_KIND } from './claim-kind.ts'
import { findClustered } from './clustered.ts'

/**
 * Whether a signal without a claim may get one where people are asked about it: a question, or what nobody could classify, that waits in Triage.
 * Not against what a person said of it, and not what a code host tells, which is work on the product.
 */
export const MAY_START_CLAIM = `(
  signals.classification in (${Object.entries(CLAIM_KIND)
    .flatMap(([label, kind]) => (kind === null ? `'${label}'` : []))
    .join(', ')})
  and signals.state = 'triage' and signals.classification_version <> 'member' and signals.channel <> 'code_host')`

const READ_TEXTS = `select id, text from signals where id = any ($1::uuid[]) and ${MAY_START_CLAIM}`

/** The texts of those that may start a claim, and never had one. Needs the lock of the workspaces' claims. */
export const readClaimless = async (
  transaction: Transaction,
  signals: readonly { readonly workspaceId: WorkspaceId; readonly signalId: SignalId }[],
): Promise<ReadonlyMap<SignalId, string>> => {
  if (signals.length === 0) return new Map()
  const clustered = await findClustered(transaction, signals)
  const open = signals.filter(({ signalId }) => !clustered.has(signalId)).map(({ signalId }) => signalId)
  const rows = await transaction.query<{ id: SignalId; text: string }>(READ_TEXTS, [[...new Set(open)]])
  return new Map(rows.map(({ id, text }) => [id, text]))
}
