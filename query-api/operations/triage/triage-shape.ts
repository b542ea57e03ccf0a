import { type Static, Type } from 'typebox'
import type { RepeatRow } from '../../../model/duplicates/read-repeats.ts'
import { strangersText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { shortened } from '../parts/excerpt.ts'
import { nullable, oneOf, uuid } from '../parts/fields.ts'
import { SignalShape } from '../parts/signal-shape.ts'

const Named = Type.Object({ id: uuid, reference: Type.String() })

/** What became of one proposal. */
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

/** What a decision in Triage changed. */
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
        text: nullable(Type.String()),
        is_truncated: Type.Boolean(),
        actor_name: nullable(strangersText()),
      },
      {
        description:
          'What was taken out of its original, or is counted there again by undo. Taken out, service_lookup mode signal with its id answers it as a Signal of its own, in a second or two.',
      },
    ),
  ),
  merges: Type.Array(SettledMerge, { description: 'One for each proposal, or each merge that was undone.' }),
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
  unchanged: nullable(Type.String({ description: 'Why nothing was changed and no Decision logged.' })),
})
export type Triaged = Static<typeof Triaged>

const REPEAT_CHARACTERS = 280

/** A repeat that a decision is about, with the beginning of what it says. */
export const shownRepeat = ({ id, original, number, text, actor_name }: RepeatRow): NonNullable<Triaged['repeat']> => ({
  id,
  original: reference('signal', original),
  reference: number === null ? null : reference('signal', number),
  text: text === null ? null : shortened(text, REPEAT_CHARACTERS),
  is_truncated: text !== null && text.length > REPEAT_CHARACTERS,
  actor_name,
})

/** The parts of an answer that an action did not touch. */
export const NO_CHANGES = {
  signal: null,
  claim: null,
  repeat: null,
  merges: [],
  undone: [],
  unchanged: null,
} satisfies Omit<Triaged, 'decision'>
