import { type DecisionObject, storeDecision } from '../../../model/decisions/log-decision.ts'
import { resolveAmong } from '../../../model/references/resolve.ts'
import type { Identifiable } from '../../../model/references/statements.ts'
import { MAX_REFERENCES } from '../../../schemas/domain/limits.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { Type, writeOperation } from '../define.ts'
import { instant, uuid } from '../parts/fields.ts'

const KINDS = ['solution', 'claim', 'signal'] as const satisfies readonly Identifiable[]

export const logDecision = writeOperation({
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
      description: 'What the human decided and why.',
    }),
    about: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        maxItems: MAX_REFERENCES,
        description: 'Solutions, claims, Signals it is about. UUIDs, references or exact titles.',
      }),
    ),
  }),
  output: Type.Object({
    id: uuid,
    reference: Type.String(),
    statement: ownText(),
    made_by: Type.String(),
    via: Type.String({ description: 'The app, or the key by its label.' }),
    made_at: instant,
    about: Type.Array(Type.Object({ kind: Type.String(), id: uuid })),
  }),
  apply: async (input, transaction, { caller, services }) => {
    const at = services.now()
    const objects: DecisionObject[] = []
    for (const identifier of new Set(input.about)) {
      const { kind, id } = await resolveAmong(transaction, KINDS, identifier)
      objects.push({ kind, id, change: {} })
    }
    const decision = await storeDecision(transaction, caller, { statement: input.statement, at, objects })
    return {
      data: {
        ...decision,
        statement: input.statement,
        made_by: caller.userName,
        via: caller.via.kind === 'app' ? 'the app' : `the key "${caller.via.label}"`,
        made_at: at.toISOString(),
        about: objects.map(({ kind, id }) => ({ kind, id })),
      },
    }
  },
})
