import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { CLAIM_KIND } from './claim-kind.ts'
import { findClustered } from './clustered.ts'
import type { Candidate } from './find-candidates.ts'

/** Whether a candidate has no claim because it starts none by itself, as a question. */
export const isClaimless = ({ claimId, kind }: Pick<Candidate, 'claimId' | 'kind'>): boolean =>
  claimId === null && CLAIM_KIND[kind] === null

const READ_TEXTS = `
  select id, text from signals
  where id = any ($1::uuid[]) and state = 'triage' and classification_version <> 'member'`

/**
 * The texts of those that may start a claim now: they wait in Triage, no person has said what they are, and they never had a claim. Needs the lock
 * of the workspaces.
 */
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
