import type { RepeatRow } from '../../../model/duplicates/read-repeats.ts'
import { MAX_PROPOSALS } from '../../../schemas/domain/limits.ts'
import { ownText, untrustedText } from '../../../schemas/domain/strangers.ts'
import { CLAIM_KINDS, CLASSIFICATIONS, reference } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Static, Type } from '../define.ts'
import { proposalName } from '../merges/merge.ts'
import { shortened } from '../parts/excerpt.ts'
import { comment, identifier, nullable, oneOf, uuid, version } from '../parts/fields.ts'
import { SignalShape } from '../parts/signal-shape.ts'
import { title } from '../solutions/solution.ts'

const Named = Type.Object({ id: uuid, reference: Type.String() })

/** Result of one proposal. */
export const SettledMerge = Type.Object({
  proposal_id: nullable(uuid),
  state: oneOf(['confirmed', 'refused', 'undone', 'waiting'], {
    description:
      'confirmed: merged. refused: kept apart. undone: pulled apart again, and kept apart. waiting: a refusal was taken back.',
  }),
  survivor: nullable(Named),
  merged: nullable(
    Type.Object(Named.properties, {
      description: 'The claim that was merged, or pulled apart; null when the two were one already.',
    }),
  ),
  moved_signals: Type.Integer({ description: 'Pieces of evidence that went over, or back.' }),
  moved_solutions: Type.Integer(),
})
export type SettledMerge = Static<typeof SettledMerge>

/** Changes by a decision in Triage. */
export const Triaged = Type.Object({
  signal: nullable(
    Type.Object(SignalShape.properties, {
      description: 'The Signal as it is by this decision; null for one that is on its way, or repeats another.',
    }),
  ),
  claim: nullable(
    Type.Object(
      { ...Named.properties, is_new: Type.Boolean({ description: 'Whether the claim is new.' }) },
      { description: 'The claim that the Signal became evidence of.' },
    ),
  ),
  repeat: nullable(
    Type.Object(
      {
        id: uuid,
        original: Type.String(),
        reference: nullable(Type.String({ description: 'Null until it is stored as a Signal of its own.' })),
        text: nullable(untrustedText()),
        is_truncated: Type.Boolean(),
        actor_name: nullable(untrustedText()),
      },
      {
        description:
          'What was taken out of its original, or is counted there again by undo. Taken out, service_lookup mode signal with its id answers it as a Signal of its own, in a second or two.',
      },
    ),
  ),
  merges: Type.Array(SettledMerge, { description: 'One for each proposal, or each merge that was undone.' }),
  also_left: Type.Integer({
    description:
      'confirm_merge, refuse_merge: other pairs that nobody is asked about any more by it; undo brings them back.',
  }),
  undone: Type.Array(
    oneOf([
      'accept',
      'dismiss',
      'reclassify',
      'promote',
      'attach',
      'duplicate',
      'snooze',
      'wake',
      'merge',
      'refusal',
      'attachment',
      'not_a_repeat',
    ]),
    {
      description: 'What undo took back; attachment: a Signal that the judge had attached to a claim.',
    },
  ),
  decision: nullable(Type.Object(Named.properties, { description: 'What it was logged as.' })),
  unchanged: nullable(ownText({ description: 'Why nothing was changed and no Decision logged.' })),
})
export type Triaged = Static<typeof Triaged>

const REPEAT_CHARACTERS = 280

/** A decision's repeat, with the beginning of its text. */
export const shownRepeat = ({ id, original, number, text, actor_name }: RepeatRow): NonNullable<Triaged['repeat']> => ({
  id,
  original: reference('signal', original),
  reference: number === null ? null : reference('signal', number),
  text: text === null ? null : shortened(text, REPEAT_CHARACTERS),
  is_truncated: text !== null && text.length > REPEAT_CHARACTERS,
  actor_name,
})

/** Parts of an answer that an action leaves empty. */
export const NO_CHANGES = {
  signal: null,
  claim: null,
  repeat: null,
  merges: [],
  also_left: 0,
  undone: [],
  unchanged: null,
} satisfies Omit<Triaged, 'decision'>

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
    Type.With(title, { description: 'Its title. Of the claim, with kind; default its most telling sentence.' }),
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

/** Arguments of each action beside `action`: required ones, then optional ones. */
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

/** Only a list shows the ids of proposals. */
const whereProposals = (fields: ReadonlySet<string>): string =>
  fields.has('proposal_ids') ? ' service_lookup mode proposals lists the proposals.' : ''

/** Refuses, by name, a field that the action does not read. */
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

/** The only given field among several. Throws `invalid_input` for none or more than one. */
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
