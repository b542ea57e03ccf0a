import { type Static, Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { CLASSIFICATIONS } from '../../../schemas/domain/vocabulary.ts'
import { writeOperation } from '../define.ts'
import { comment, identifier, nullable, oneOf, uuid, version } from '../parts/fields.ts'
import { SignalShape } from '../parts/signal-shape.ts'
import { confirmMerge, refuseMerge, SettledMerge } from './settle-merge.ts'
import { triageSignal } from './triage-signal.ts'

const ACTIONS = ['accept', 'dismiss', 'reclassify', 'confirm_merge', 'refuse_merge'] as const
type Action = (typeof ACTIONS)[number]

const input = Type.Object({
  action: oneOf(ACTIONS, {
    description:
      'accept, dismiss, reclassify: on the Signal signal_id. confirm_merge, refuse_merge: on the proposal proposal_id.',
  }),
  signal_id: Type.Optional(
    Type.With(identifier, { description: 'The Signal: snippet_id, or reference such as SIG-7.' }),
  ),
  classification: Type.Optional(oneOf(CLASSIFICATIONS, { description: 'What reclassify makes of it.' })),
  proposal_id: Type.Optional(Type.With(uuid, { description: 'From service_lookup mode proposals.' })),
  survivor_id: Type.Optional(
    Type.With(identifier, {
      description: 'Which of the two claims lives on in confirm_merge. Default the older one, the candidate.',
    }),
  ),
  comment,
  version,
})
type Input = Static<typeof input>

/** What each action takes beside `action`: first what it needs, then what it may have. */
const TAKES: Readonly<
  Record<Action, { readonly needs: readonly (keyof Input)[]; readonly may: readonly (keyof Input)[] }>
> = {
  accept: { needs: ['signal_id'], may: ['version'] },
  dismiss: { needs: ['signal_id'], may: ['version'] },
  reclassify: { needs: ['signal_id', 'classification'], may: ['version'] },
  confirm_merge: { needs: ['proposal_id'], may: ['survivor_id', 'comment'] },
  refuse_merge: { needs: ['proposal_id'], may: ['comment'] },
}

const required = <Value>(value: Value | undefined, field: keyof Input, action: Action): Value => {
  if (value !== undefined) return value
  throw new AssayError('invalid_input', `Action ${action} needs ${field}.`, {
    violations: [{ pointer: `/${field}`, message: 'is required' }],
  })
}

/** A field that the action does not read is refused by name, never ignored. */
const refuseOthers = (given: Input): void => {
  const { needs, may } = TAKES[given.action]
  const allowed = new Set<string>(['action', ...needs, ...may])
  const violations = Object.keys(given)
    .filter(field => !allowed.has(field))
    .map(field => ({ pointer: `/${field}`, message: `is not a field of action ${given.action}` }))
  if (violations.length === 0) return
  const fields = violations.map(({ pointer }) => pointer.slice(1)).join(', ')
  throw new AssayError(
    'invalid_input',
    `Action ${given.action} takes ${[...needs, ...may].join(', ')}; not ${fields}.`,
    {
      violations,
    },
  )
}

export const decideTriage = writeOperation({
  name: 'triage',
  title: 'Decide on what waits in Triage',
  summary:
    'Accepts, dismisses or reclassifies a Signal, or confirms or refuses a proposed merge of two claims. A dismissed Signal no longer weighs as evidence. After a merge both references answer the survivor; a refused pair is never proposed again.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input,
  output: Type.Object({ signal: nullable(SignalShape), merge: nullable(SettledMerge) }),
  apply: async (given, transaction, context) => {
    refuseOthers(given)
    const { action } = given
    if (action === 'confirm_merge' || action === 'refuse_merge') {
      const choice = { ...given, proposal_id: required(given.proposal_id, 'proposal_id', action) }
      const settle = action === 'confirm_merge' ? confirmMerge : refuseMerge
      return { data: { signal: null, merge: await settle(transaction, context, choice) } }
    }
    const signal_id = required(given.signal_id, 'signal_id', action)
    const classification = action === 'reclassify' ? required(given.classification, 'classification', action) : null
    const state = { accept: 'accepted', dismiss: 'dismissed', reclassify: null } as const
    const seen = given.version === undefined ? {} : { version: given.version }
    const signal = await triageSignal(transaction, { signal_id, ...seen, state: state[action], classification })
    return { data: { signal, merge: null } }
  },
})
