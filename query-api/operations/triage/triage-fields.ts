import { CLAIM_KINDS, CLASSIFICATIONS } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Static, Type } from '../define.ts'
import { proposalName } from '../merges/merge.ts'
import { comment, identifier, oneOf, version } from '../parts/fields.ts'
import { title } from '../solutions/solution.ts'

const ACTIONS = [
  'accept',
  'dismiss',
  'reclassify',
  'promote',
  'not_a_repeat',
  'confirm_merge',
  'refuse_merge',
  'undo',
] as const
type Action = (typeof ACTIONS)[number]

const MAX_PROPOSALS = 100

export const triageInput = Type.Object({
  action: oneOf(ACTIONS, {
    description:
      'accept, dismiss, reclassify, promote (kind or claim_id): signal_id. not_a_repeat: signal_id of a repeat, which becomes a Signal of its own. confirm_merge, refuse_merge: proposal_ids. undo: decision_id, or what was last done to a signal_id, merged claim_id or proposal_id. A signal_id with claim_id pulls that Signal out of that claim.',
  }),
  signal_id: Type.Optional(
    Type.With(identifier, { description: 'The Signal. Its snippet_id, or reference such as SIG-7.' }),
  ),
  classification: Type.Optional(oneOf(CLASSIFICATIONS, { description: 'The new classification.' })),
  kind: Type.Optional(oneOf(CLAIM_KINDS, { description: 'Which kind. With promote, of the new claim.' })),
  title: Type.Optional(
    Type.With(title, { description: 'Its title. Of the claim, with kind; default its first sentence.' }),
  ),
  claim_id: Type.Optional(
    Type.With(identifier, {
      description:
        'The claim. With promote, one that there is; with undo: the merged claim, named by its own reference; with signal_id the claim to pull that Signal out of.',
    }),
  ),
  proposal_id: Type.Optional(Type.With(proposalName, { description: 'One of proposal_ids, alone.' })),
  proposal_ids: Type.Optional(
    Type.Array(proposalName, {
      minItems: 1,
      maxItems: MAX_PROPOSALS,
      uniqueItems: true,
      description: 'From service_lookup mode merge_groups, or CLM-2/CLM-1. Decided as one: all of them, or none.',
    }),
  ),
  survivor_id: Type.Optional(
    Type.With(identifier, {
      description: 'confirm_merge: which claim lives on. Default the oldest one.',
    }),
  ),
  decision_id: Type.Optional(Type.With(identifier, { description: 'undo: a Decision made here. Such as DEC-4.' })),
  comment,
  version,
})
export type TriageInput = Static<typeof triageInput>
type Field = keyof TriageInput

/** What each action takes beside `action`: first what it needs, then what it may have. */
const TAKES: Readonly<Record<Action, { readonly needs: readonly Field[]; readonly may: readonly Field[] }>> = {
  accept: { needs: ['signal_id'], may: ['comment', 'version'] },
  dismiss: { needs: ['signal_id'], may: ['comment', 'version'] },
  reclassify: { needs: ['signal_id', 'classification'], may: ['comment', 'version'] },
  promote: { needs: ['signal_id'], may: ['kind', 'claim_id', 'title', 'comment', 'version'] },
  not_a_repeat: { needs: ['signal_id'], may: ['comment'] },
  confirm_merge: { needs: [], may: ['proposal_id', 'proposal_ids', 'survivor_id', 'comment'] },
  refuse_merge: { needs: [], may: ['proposal_id', 'proposal_ids', 'comment'] },
  undo: { needs: [], may: ['decision_id', 'signal_id', 'claim_id', 'proposal_id', 'comment', 'version'] },
}

/** A proposal is only known by its id, which nobody can guess. */
const whereProposals = (fields: ReadonlySet<string>): string =>
  fields.has('proposal_ids') ? ' service_lookup mode proposals lists the proposals.' : ''

/** A field that the action does not read is refused by name, never ignored. */
export const refuseOthers = (given: TriageInput): void => {
  const { needs, may } = TAKES[given.action]
  const allowed = new Set<string>(['action', ...needs, ...may])
  const violations = Object.keys(given)
    .filter(field => !allowed.has(field))
    .map(field => ({ pointer: `/${field}`, message: `is not a field of action ${given.action}` }))
  if (violations.length === 0) return
  const fields = violations.map(({ pointer }) => pointer.slice(1)).join(', ')
  throw new AssayError(
    'invalid_input',
    `Action ${given.action} takes ${[...needs, ...may].join(', ')}; not ${fields}.${whereProposals(allowed)}`,
    { violations },
  )
}

export const required = <Value>(value: Value | undefined, field: Field, action: Action): Value => {
  if (value !== undefined) return value
  throw new AssayError('invalid_input', `Action ${action} needs ${field}.`, {
    violations: [{ pointer: `/${field}`, message: 'is required' }],
  })
}

/** The one field of several that is given. Throws `invalid_input` when none or more than one is. */
export const exactlyOne = <const Choice extends Field>(given: TriageInput, choices: readonly Choice[]): Choice => {
  const [chosen, ...others] = choices.filter(field => given[field] !== undefined)
  if (chosen !== undefined && others.length === 0) return chosen
  const named = choices.join(' or ')
  throw new AssayError(
    'invalid_input',
    `Action ${given.action} needs exactly one of ${named}.${whereProposals(new Set(choices))}`,
    {
      violations: choices.map(field => ({ pointer: `/${field}`, message: `exactly one of ${named} is needed` })),
    },
  )
}
