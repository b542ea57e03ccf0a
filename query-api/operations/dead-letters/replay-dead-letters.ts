import { groupSelected } from '../../../model/dead-letters/read-dead-letters.ts'
import {
  type DeadLetterSelection,
  headOf,
  type ReplayInput,
  replayableFrom,
} from '../../../model/dead-letters/selection.ts'
import { MAX_REPLAYED_PER_SECOND } from '../../../schemas/domain/limits.ts'
import { FAULTS, STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Static, type Transaction, Type, writeOperation } from '../define.ts'
import { beginJob } from '../jobs/job.ts'
import { nullable, oneOf, uuid } from '../parts/fields.ts'
import { noDeadLetters, requireKnownClass, selectionFields, selectionOf } from './dead-letter.ts'

/** Letters with the same cause of death and the same state of their records. */
const SelectedGroup = Type.Object({
  step: Type.String(),
  fault: oneOf(FAULTS),
  error_class: Type.String(),
  dead_letters: Type.Integer(),
  from_steps: Type.Array(Type.String(), {
    description: 'Where a replay can begin, by what the records hold; by default at the last of them.',
  }),
})
type SelectedGroup = Static<typeof SelectedGroup>

/** The selected dead letters, counted by cause of death. */
const selectedGroups = async (transaction: Transaction, selection: DeadLetterSelection): Promise<SelectedGroup[]> => {
  const rows = await groupSelected(transaction, selection)
  return rows.map(({ topic, ...group }) => {
    const head = headOf(topic)
    return { ...group, from_steps: head === null ? [] : [...replayableFrom(head)] }
  })
}

const DEFAULT_PER_SECOND = 50

/** Throws when no selected record can be replayed from the step, with the steps that are possible. */
const refuseImpossible = (fromStep: StepName, groups: readonly Static<typeof SelectedGroup>[]): void => {
  const possible = new Set(groups.flatMap(group => group.from_steps))
  if (groups.length === 0 || possible.has(fromStep)) return
  const steps = STEPS.filter(step => possible.has(step))
  const message = `None of these dead letters can be replayed from ${fromStep}: their records lack what it needs. Possible: ${steps.join(', ') || 'none'}.`
  throw new AssayError('invalid_input', message, {
    violations: [{ pointer: '/from_step', message: `must be one of ${steps.join(', ')}` }],
    context: { from_steps: steps },
  })
}

export const replayDeadLetters = writeOperation({
  name: 'replay_dead_letters',
  title: 'Replay dead letters',
  summary:
    'Sends waiting dead letters through the pipeline again: one, a group, or all. dry_run answers how many of each group it would send. Else it starts a job and answers its id. Nothing is counted twice, and a letter that dies again waits with dead_letter_count raised. Remove the cause first.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  omittedFields: ['per_second'],
  cannotBeUndone:
    'The signals go through the pipeline again. End a replay that is under way with service_support mode cancel_job.',
  input: Type.Object({
    ...selectionFields,
    from_step: Type.Optional(oneOf(STEPS, { description: 'Begin here instead of where each stands. See from_steps.' })),
    per_second: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_REPLAYED_PER_SECOND,
        description: `At most so many letters a second. Default ${DEFAULT_PER_SECOND}.`,
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'true: only count. Nothing starts.' })),
  }),
  output: Type.Object({
    job_id: nullable(uuid),
    dead_letters: Type.Integer(),
    groups: Type.Array(SelectedGroup),
  }),
  apply: async (input, transaction, context) => {
    const selection = selectionOf(input, context.services.now())
    await requireKnownClass(transaction, input.error_class)
    const groups = await selectedGroups(transaction, selection)
    const dead_letters = groups.reduce((sum, group) => sum + group.dead_letters, 0)
    const isDryRun = input.dry_run === true
    if (dead_letters === 0 && !(isDryRun && selection.signal_id === null)) throw noDeadLetters()
    if (input.from_step !== undefined) refuseImpossible(input.from_step, groups)
    if (isDryRun) return { data: { job_id: null, dead_letters, groups } }

    const replay = {
      selection,
      from_step: input.from_step ?? null,
      per_second: input.per_second ?? DEFAULT_PER_SECOND,
    } satisfies ReplayInput
    const job_id = await beginJob(transaction, context, { kind: 'replay', input: replay, total: dead_letters })
    return { data: { job_id, dead_letters, groups }, size: dead_letters }
  },
})
