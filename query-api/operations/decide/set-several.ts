import type { Transaction } from '../../../infra/postgres/port.ts'
import { CLAIM_KIND } from '../../../model/claims/claim-kind.ts'
import type { ClaimId, SignalId } from '../../../schemas/domain/ids.ts'
import type { WriteContext } from '../define.ts'
import { present } from '../parts/action-fields.ts'
import type { HeldSignal, SignalFields } from './held-signal.ts'
import { firstClaims, namesOf, setSignals } from './hold-signals.ts'
import { refuseRepeats } from './refuse-repeats.ts'
import { areOrIs, type SeveralChange } from './several-change.ts'
import type { SeveralInput } from './several-fields.ts'
import { startClaimOf } from './start-claim.ts'
import type { TriageChange } from './triage-change.ts'
import { changedFields, reclassified } from './triage-signal.ts'

/** Sets the state or the classification of all; those that become a problem or an idea and have no claim start one each. */
export const setSeveral = async (
  transaction: Transaction,
  context: WriteContext,
  signals: readonly HeldSignal[],
  given: SeveralInput,
): Promise<SeveralChange> => {
  await refuseRepeats(transaction, signals)
  const { wanted, says, triage } = wantedOf(given)
  await setSignals(transaction, signals, wanted)
  const started = await startClaims(transaction, context, signals, given)
  const changes = signals.map(signal => {
    const id = started.get(signal.id)
    const change: TriageChange = {
      triage,
      ...changedFields(signal, wanted),
      ...(id === undefined ? {} : { claim: { id, started: true } }),
    }
    return { id: signal.id, change }
  })
  return { says: `${namesOf(signals)} ${areOrIs(signals)} ${says}.`, changes }
}

interface Wanted {
  readonly triage: 'accept' | 'dismiss' | 'reclassify'
  readonly wanted: Partial<SignalFields>
  readonly says: string
}

const wantedOf = ({ action, classification }: SeveralInput): Wanted => {
  if (action === 'accept') return { triage: action, wanted: { state: 'accepted' }, says: 'accepted' }
  if (action === 'dismiss') return { triage: action, wanted: { state: 'dismissed' }, says: 'dismissed' }
  const wanted = reclassified(present(classification))
  return { triage: 'reclassify', wanted, says: `reclassified as ${classification}` }
}

const startClaims = async (
  transaction: Transaction,
  { caller }: WriteContext,
  signals: readonly HeldSignal[],
  { action, classification, comment }: SeveralInput,
): Promise<ReadonlyMap<SignalId, ClaimId>> => {
  const started = new Map<SignalId, ClaimId>()
  const kind = action === 'reclassify' ? CLAIM_KIND[present(classification)] : null
  if (kind === null) return started
  const reason = comment ?? 'It was reclassified, and started the claim.'
  const claimed = await firstClaims(transaction, signals)
  for (const signal of signals) {
    if (signal.state === 'dismissed' || claimed.has(signal.id)) continue
    started.set(signal.id, await startClaimOf(transaction, caller, signal, { kind, reason }))
  }
  return started
}
