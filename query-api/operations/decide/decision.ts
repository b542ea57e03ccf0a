import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { type DecisionObject, logDecision } from '../../../model/decisions/log-decision.ts'
import type { Identifiable } from '../../../model/references/identifiable.ts'
import { resolve, unresolved } from '../../../model/references/resolve.ts'
import { writeOperation } from '../define.ts'
import { instant, uuid } from '../parts/fields.ts'

const KINDS = ['solution', 'claim', 'signal'] as const satisfies readonly Identifiable[]

/** What the identifier stands for among the kinds that a Decision can be about. Throws unless that is one object. */
const objectOf = async (transaction: Transaction, identifier: string): Promise<DecisionObject> => {
  const candidates = []
  for (const kind of KINDS) {
    const resolution = await resolve(transaction, kind, identifier)
    if (resolution.kind === 'one') candidates.push({ ...resolution.found, kind })
    else if (resolution.kind === 'several') throw unresolved(kind, identifier, 'several', resolution.candidates)
  }
  const [found] = candidates
  if (found === undefined) throw unresolved('solution', identifier, 'none', [])
  if (candidates.length > 1) throw unresolved(found.kind, identifier, 'several', candidates)
  return { kind: found.kind, id: found.id, change: {} }
}

export const decideDecision = writeOperation({
  name: 'log_decision',
  title: 'Log a Decision',
  summary:
    'Logs what a human decided and why, and what it is about. It is kept as a Decision of the owner of this key, made through it. Later changes of Solutions can hang on it by decision_id.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    statement: Type.String({
      minLength: 1,
      maxLength: 4000,
      pattern: '\\S',
      description: 'What was decided and why, as the human said it.',
    }),
    about: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        maxItems: 50,
        description: 'The Solutions, claims and Signals it is about: UUIDs, references or exact titles.',
      }),
    ),
  }),
  output: Type.Object({
    id: uuid,
    reference: Type.String(),
    statement: Type.String(),
    made_by: Type.String(),
    through: Type.String({ description: 'The app, or the key by its label.' }),
    made_at: instant,
    about: Type.Array(Type.Object({ kind: Type.String(), id: uuid })),
  }),
  apply: async (input, transaction, { caller, services }) => {
    const at = services.now()
    const objects: DecisionObject[] = []
    for (const identifier of new Set(input.about)) objects.push(await objectOf(transaction, identifier))
    const decision = await logDecision(transaction, caller, { statement: input.statement, at, objects })
    return {
      data: {
        ...decision,
        statement: input.statement,
        made_by: caller.userName,
        through: caller.through.kind === 'app' ? 'the app' : `the key "${caller.through.label}"`,
        made_at: at.toISOString(),
        about: objects.map(({ kind, id }) => ({ kind, id })),
      },
    }
  },
})
