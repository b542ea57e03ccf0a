import { refuseBareClaims } from '../../../model/claims/change-evidence.ts'
import { type EditableClaim, editableClaim, setClaim } from '../../../model/claims/claims.ts'
import { storeDecision } from '../../../model/decisions/log-decision.ts'
import { untrustedText } from '../../../schemas/domain/strangers.ts'
import { CLAIM_KINDS, CLAIM_STATES, reference } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Transaction, Type, throwDeleted, writeOperation } from '../define.ts'
import { comment, identifier, oneOf, uuid, version } from '../parts/fields.ts'
import { title } from '../solutions/solution.ts'
import { resolveClaim } from './claim.ts'

export const updateClaim = writeOperation({
  name: 'update_claim',
  title: 'Resolve, rename or sort a claim',
  summary:
    'Sets the state, the title or the kind of a claim: established once people stand behind it, addressed once it is answered, dismissed where it is none. A dismissed claim takes no more evidence. Logged as a Decision.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    claim_id: Type.With(identifier, { description: 'The claim.' }),
    state: Type.Optional(oneOf(CLAIM_STATES, { description: 'The new state.' })),
    title: Type.Optional(title),
    kind: Type.Optional(oneOf(CLAIM_KINDS, { description: 'What it is, whatever most of its evidence is.' })),
    comment,
    version,
  }),
  output: Type.Object({
    claim: Type.Object({
      id: uuid,
      reference: Type.String(),
      kind: oneOf(CLAIM_KINDS),
      state: oneOf(CLAIM_STATES),
      title: untrustedText(),
      version: Type.Integer(),
    }),
    decision: Type.Object({ id: uuid, reference: Type.String() }),
  }),
  apply: async (input, transaction, { caller, services }) => {
    const at = services.now()
    const before = await lockClaim(transaction, input.claim_id, input.version)
    const name = reference('claim', before.number)
    const wanted = {
      state: input.state ?? before.state,
      title: input.title?.trim() ?? before.title,
      kind: input.kind ?? before.kind,
    }
    const change = changeOf(before, wanted)
    if (Object.keys(change).length === 0) {
      throw new AssayError(
        'invalid_input',
        `${name} is ${before.state}, of this kind and has this title already: nothing to change.`,
      )
    }
    const row = await setClaim(transaction, before.id, wanted, at)
    if (before.state === 'dismissed') await refuseBareClaims(transaction, new Set([before.id]))
    const decision = await storeDecision(transaction, caller, {
      statement: input.comment ?? statementOf(name, before, wanted),
      at,
      objects: [{ kind: 'claim', id: before.id, change }],
    })
    const { number: _, ...claim } = row ?? throwDeleted('claim')
    return { data: { claim: { ...claim, reference: name }, decision } }
  },
})

/** The claim of the identifier, locked. Throws `conflict` when the caller read another version. */
const lockClaim = async (
  transaction: Transaction,
  given: string,
  readVersion: number | undefined,
): Promise<EditableClaim> => {
  const { id } = await resolveClaim(transaction, given)
  const row = await editableClaim(transaction, id)
  if (row === undefined) return throwDeleted('claim')
  if (readVersion === undefined || readVersion === row.version) return row
  const name = reference('claim', row.number)
  throw new AssayError(
    'conflict',
    `${name} has changed: you read version ${readVersion}, it is at ${row.version}. Nothing was written.`,
    { context: { current: { reference: name, state: row.state, title: row.title, version: row.version } } },
  )
}

type Fields = Pick<EditableClaim, 'state' | 'title' | 'kind'>

const changeOf = (before: Fields, after: Fields): Record<string, { from: string; to: string }> =>
  Object.fromEntries(
    (['state', 'title', 'kind'] as const)
      .filter(field => before[field] !== after[field])
      .map(field => [field, { from: before[field], to: after[field] }]),
  )

const statementOf = (name: string, before: Fields, after: Fields): string => {
  if (before.state !== after.state) return `${name} is ${after.state}.`
  // The old words stay in the change: they may be a sender's, which a person's statement must not repeat.
  return before.title === after.title
    ? `${name} has the kind ${after.kind}.`
    : `${name} is renamed to “${after.title}”.`
}
