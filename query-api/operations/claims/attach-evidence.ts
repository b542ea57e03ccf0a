import { claimsOf } from '../../../model/claims/read-evidence.ts'
import { storeDecision } from '../../../model/decisions/log-decision.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { setSignals, type TriageChange } from '../../../model/triage/triage.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { identifier, uuid, version } from '../parts/fields.ts'
import { SignalShape } from '../parts/signal-shape.ts'
import { lockSignal, shownSignal } from '../triage/locked-signals.ts'
import { joinClaim } from '../triage/promote.ts'
import { changedFields } from '../triage/triage-signal.ts'
import { namedClaims } from './claim.ts'

const Named = Type.Object({ id: uuid, reference: Type.String() })

export const attachEvidence = writeOperation({
  name: 'attach_evidence',
  title: 'Attach a Signal to a claim',
  summary:
    'Makes a Signal that exists evidence of a claim, beside those that it is evidence of already, and accepts it. Logged as a Decision made through this key; service_decide mode triage, action undo with the signal_id, takes it back.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    signal_id: Type.With(identifier, { description: 'The Signal. SIG-7 or UUID.' }),
    claim_id: Type.With(identifier, { description: 'The claim. CLM-3, UUID or exact title.' }),
    reason: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '\\S',
      description: 'The reason. Why it is evidence of that claim.',
    }),
    version,
  }),
  output: Type.Object({ signal: SignalShape, claim: Named, decision: Named }),
  apply: async (input, transaction, { caller, services }) => {
    await lockWorkspaces(transaction, [caller.workspaceId], 'claims')
    const signal = await lockSignal(transaction, input.signal_id, input.version)
    const reason = input.reason.trim()
    const known = await claimsOf(transaction, signal.id)
    const id = await joinClaim(transaction, caller, signal, input.claim_id, reason)
    const { reference } = (await namedClaims(transaction, [id]))(id)
    if (known.some(claim => claim.id === id)) {
      throw new AssayError(
        'conflict',
        `${signal.reference} is evidence of ${reference} already. Nothing was changed; service_lookup mode claim, id ${reference}, shows it.`,
      )
    }
    if (signal.state === 'dismissed') {
      throw new AssayError(
        'conflict',
        `${signal.reference} is dismissed. Accept it first with service_decide mode triage, action accept. Nothing was changed.`,
      )
    }
    await setSignals(transaction, [signal], { state: 'accepted' })
    const change: TriageChange = {
      triage: 'attach',
      ...changedFields(signal, { state: 'accepted' }),
      claim: { id, is_new: false },
    }
    const decision = await storeDecision(transaction, caller, {
      statement: `${signal.reference} is evidence of ${reference}: ${reason}`,
      at: services.now(),
      objects: [
        { kind: 'signal', id: signal.id, change: { ...change } },
        { kind: 'claim', id, change: { attached_signal: signal.id } },
      ],
    })
    return { data: { signal: await shownSignal(transaction, signal.id), claim: { id, reference }, decision } }
  },
})
