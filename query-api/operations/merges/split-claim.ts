import { moveEvidence } from '../../../model/claims/change-evidence.ts'
import { type Claim, claimNumbers, touchClaim } from '../../../model/claims/claims.ts'
import { dismissSilentClaims } from '../../../model/claims/follow-evidence.ts'
import { type PieceOfEvidence, piecesOfEvidence } from '../../../model/claims/read-evidence.ts'
import { startClaims } from '../../../model/claims/start-claims.ts'
import { statementOf, titleOf } from '../../../model/claims/titles.ts'
import { attachToDecision, storeDecision } from '../../../model/decisions/log-decision.ts'
import { keepApart } from '../../../model/merges/kept-apart.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { type ClaimId, newId } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { namedClaims, resolveClaim } from '../claims/claim.ts'
import { AssayError, actorLabel, type Transaction, Type, writeOperation } from '../define.ts'
import { requireVersion } from '../documents/document.ts'
import { comment, identifier, uuid, version } from '../parts/fields.ts'
import { title } from '../solutions/solution.ts'

const MAX_SIGNALS = 100

export const splitClaim = writeOperation({
  name: 'split_claim',
  title: 'Split a claim',
  summary:
    'Starts a claim of its own with some of the evidence of another, all of it or nothing; how each piece was attached goes with it, and the two stay apart. For what the pipeline or a judge attached: a merged claim is pulled apart with undo of triage, and what a person attached is undone there. merge_claims with lift_refusal puts it back.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    claim_id: Type.With(identifier, { description: 'The claim.' }),
    signal_ids: Type.Array(identifier, {
      minItems: 1,
      maxItems: MAX_SIGNALS,
      uniqueItems: true,
      description: 'The Signals. Evidence that goes to the new claim.',
    }),
    title: Type.Optional(Type.With(title, { description: 'Its title. Default its most telling sentence.' })),
    version,
    comment,
  }),
  output: Type.Object({
    claim: Type.Object({ id: uuid, reference: Type.String() }),
    from: Type.Object({ id: uuid, reference: Type.String() }),
    moved_signals: Type.Integer(),
    decision: Type.Object({ id: uuid, reference: Type.String() }),
  }),
  apply: async (input, transaction, { caller, services }) => {
    const at = services.now()
    await lockWorkspaces(transaction, [caller.workspaceId], 'claims')
    const from = await lockClaim(transaction, input.claim_id, input.version)
    const name = reference('claim', from.number)
    const pieces = await piecesOf(transaction, from.id, name, input.signal_ids)
    const id = newId<ClaimId>()
    await startClaims(transaction, [
      {
        id,
        workspaceId: caller.workspaceId,
        signalId: pieces[0].signal_id,
        kind: from.kind,
        title: input.title?.trim() ?? titleOf(pieces[0].text),
        statement: statementOf(pieces[0].text),
      },
    ])
    const signals = pieces.map(({ signal_id }) => signal_id)
    await moveEvidence(transaction, [from.id, id], signals)
    await dismissSilentClaims(transaction, [from.id, id])
    await touchClaim(transaction, from.id, at)
    const own = (await namedClaims(transaction, [id]))(id).reference
    const statement = input.comment ?? `${own} is split off ${name}.`
    const decision = await storeDecision(transaction, caller, { statement, at, objects: [] })
    const settler = { by: actorLabel(caller), reason: statement, at, decisionId: decision.id }
    await keepApart(transaction, caller.workspaceId, [id, from.id], settler)
    await attachToDecision(transaction, caller.workspaceId, decision.id, [
      { kind: 'claim', id, change: { split_off_claim: from.id, signal_ids: signals } },
      { kind: 'claim', id: from.id, change: { split_into_claim: id } },
    ])
    const claim = { id, reference: own }
    return { data: { claim, from: { id: from.id, reference: name }, moved_signals: signals.length, decision } }
  },
})

const lockClaim = async (transaction: Transaction, given: string, readVersion: number | undefined): Promise<Claim> => {
  const claim = await resolveClaim(transaction, given)
  const name = reference('claim', claim.number)
  const { id, version } = claim
  if (readVersion !== undefined) {
    requireVersion({ what: name, version, read: 'Its page', context: { id, reference: name } }, readVersion)
  }
  return claim
}

/** Reason why a piece cannot be split off, and the alternative. */
const whyBound = async (transaction: Transaction, { origins }: PieceOfEvidence): Promise<string> => {
  const merged = origins.at(-1)
  const number = merged === undefined ? undefined : (await claimNumbers(transaction, [merged])).get(merged)
  if (number === undefined) return 'was attached by a person: undo the Decision that attached it instead.'
  const name = reference('claim', number)
  return `came with the merged claim ${name}: pull that apart instead, with service_decide mode triage, action undo, claim_id ${name}.`
}

/** The requested pieces. Throws `conflict` when a piece is not this claim's own, or when no piece would be left. */
const piecesOf = async (
  transaction: Transaction,
  claimId: ClaimId,
  name: string,
  requestedId: readonly string[],
): Promise<readonly [PieceOfEvidence, ...PieceOfEvidence[]]> => {
  const all = await piecesOfEvidence(transaction, claimId)
  const ids = new Set<string>()
  for (const given of requestedId) ids.add((await resolveOne(transaction, 'signal', given)).id)
  const chosen = all.filter(({ signal_id }) => ids.has(signal_id))
  if (chosen.length < ids.size) {
    throw new AssayError('conflict', `Some of these Signals are no evidence of ${name}; nothing was changed.`)
  }
  const bound = chosen.find(({ attached_by, origins }) => attached_by === 'member' || origins.length > 0)
  if (bound !== undefined) {
    throw new AssayError(
      'conflict',
      `${reference('signal', bound.number)} ${await whyBound(transaction, bound)} Nothing was changed.`,
    )
  }
  const [first, ...rest] = chosen
  if (first === undefined || chosen.length === all.length) {
    throw new AssayError(
      'conflict',
      `A part of the evidence is split off, not all of it: ${name} would be left with none.`,
    )
  }
  return [first, ...rest]
}
