import { Type } from 'typebox'
import { groupDeadLetters, listDeadLetters } from '../../../model/dead-letters/read-dead-letters.ts'
import { pausedSteps } from '../../../model/pipeline/paused-steps.ts'
import { stepFigures } from '../../../model/pipeline/step-figures.ts'
import { strangersText } from '../../../schemas/domain/strangers.ts'
import { DEAD_LETTER_STATES, FAULTS } from '../../../schemas/domain/vocabulary.ts'
import { DeadLetter, toDeadLetter } from '../dead-letters/dead-letter-shape.ts'
import { deadLetterFilters, requireKnownClass } from '../dead-letters/selection.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, depth, instant, limit, nullable, oneOf } from '../parts/fields.ts'
import { listed, listOf, pageSize } from '../parts/listed.ts'
import { ANSWER_TOKENS, estimateTokens, takeWithinBudget } from '../parts/token-budget.ts'
import { EmbeddingScale, readEmbeddingScale } from './embedding-scale.ts'

const StepFigures = Type.Object({
  step: Type.String(),
  signals: Type.Integer(),
  next: Type.Integer(),
  skipped: Type.Integer(),
  retried: Type.Integer(),
  dead_lettered: Type.Integer(),
  p95_duration_ms: Type.Number(),
  newest_received_at: Type.String({ description: 'When the newest signal that it handled was received.' }),
})

const Paused = Type.Object({ step: Type.String(), reason: Type.String(), paused_at: instant })

const Group = Type.Object({
  step: Type.String(),
  fault: oneOf(FAULTS),
  error_class: Type.String(),
  dead_letters: Type.Integer(),
  max_dead_letter_count: Type.Integer({ description: 'Above 1: replays of it die again.' }),
  last_failed_at: instant,
  last_message: nullable(strangersText({ description: 'What the newest died of, its beginning; null while sealed.' })),
})

const LINE = ['signal_id', 'step', 'fault', 'error_class', 'last_failed_at'] as const
const GROUPS_OF_A_SUMMARY = 600

export const inspectPipeline = readOperation({
  name: 'inspect_pipeline',
  title: 'The pipeline’s steps and dead letters',
  summary:
    'Answers what each step did with the signals received in the last hour, and the dead letters: grouped by step and reason, and listed, the newest first; and at which cosine of the embedding model repeats are skipped. A letter that died before personal data was removed shows its metadata only.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    dead_letter_state: Type.Optional(
      oneOf(DEAD_LETTER_STATES, { description: 'Which dead letters. Default waiting.' }),
    ),
    ...deadLetterFilters,
    depth,
    limit,
    cursor,
  }),
  output: Type.Object({
    last_hour: Type.Array(StepFigures, { description: 'In the order of the pipeline.' }),
    paused: Type.Array(Paused, {
      description: 'Steps that people hold still in the whole installation; what comes for them waits.',
    }),
    embedding: EmbeddingScale,
    groups: Type.Array(Group, { description: 'The largest that fit.' }),
    count: Type.Integer({ description: 'Dead letters in all.' }),
    items: listOf(DeadLetter, LINE),
  }),
  run: async (input, { read, services, caller }) => {
    const position = decodeCursor('dead_letters', input.cursor, services.now())
    const filter = {
      state: input.dead_letter_state ?? 'waiting',
      // What dies while somebody pages belongs to the next reading from the beginning.
      until: input.cursor === undefined ? null : position.at,
      step: input.step ?? null,
      fault: input.fault ?? null,
      error_class: input.error_class ?? null,
    }
    const page = { limit: pageSize(input), offset: position.offset }
    const { paused, embedding, groups, letters } = await read(async transaction => {
      await requireKnownClass(transaction, input.error_class)
      return {
        paused: await pausedSteps(transaction),
        embedding: await readEmbeddingScale(transaction, services.embedder.model),
        groups: await groupDeadLetters(transaction, filter),
        letters: await listDeadLetters(transaction, filter, page),
      }
    })
    const hourAgo = new Date(services.now().getTime() - 3_600_000)
    const lastHour = await stepFigures(services.analytics, caller.workspaceId, hourAgo)
    const count = groups.reduce((sum, group) => sum + group.dead_letters, 0)
    const told = {
      last_hour: lastHour,
      paused: paused.map(step => ({ ...step, paused_at: step.paused_at.toISOString() })),
      embedding,
      groups: takeWithinBudget(
        groups.map(group => ({ ...group, last_failed_at: group.last_failed_at.toISOString() })),
        input.depth === 'summary' ? GROUPS_OF_A_SUMMARY : ANSWER_TOKENS / 2,
      ),
      count,
    }
    const beside = input.depth === 'summary' ? 0 : estimateTokens(told)
    const { items, note } = listed(input, letters.map(toDeadLetter), { line: LINE, beside })
    return { data: { ...told, items }, note, nextCursor: nextCursor('dead_letters', position, items.length, count) }
  },
})
