import { type Calibration, IDENTITY, rawAt, shippedCalibration } from '../../../infra/models/calibration.ts'
import { stepFigures } from '../../../model/activity/counts.ts'
import {
  findFittedCalibration,
  NEAR_DUPLICATE_AT,
  NEAR_DUPLICATE_IN_THREADS_AT,
} from '../../../model/calibrations/calibrations.ts'
import { groupDeadLetters, listDeadLetters } from '../../../model/dead-letters/read-dead-letters.ts'
import { ATTACH_AT, leastCosineToAttach } from '../../../model/map/fit.ts'
import { pausedSteps } from '../../../model/pipeline/paused-steps.ts'
import { HOUR_MS } from '../../../schemas/domain/durations.ts'
import { ownText, untrustedText } from '../../../schemas/domain/strangers.ts'
import { DEAD_LETTER_STATES, FAULTS } from '../../../schemas/domain/vocabulary.ts'
import { DeadLetter, deadLetterFilters, requireKnownClass, toDeadLetter } from '../dead-letters/dead-letter.ts'
import { readOperation, type Transaction, Type } from '../define.ts'
import { createCutLists } from '../parts/cut-lists.ts'
import { ANSWER_TOKENS, estimateTokens } from '../parts/excerpt.ts'
import { cursor, instant, limit, listDepth, nullable, oneOf } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, oneNote, pageSize } from '../parts/lists.ts'

const rawCosine = (threshold: number) =>
  nullable(
    Type.Number({ description: `The model’s own cosine that is ${threshold.toFixed(2)} of the scale; null: none is.` }),
  )
const share = (of: string) => nullable(Type.Number({ description: `Of the pairs that it was fitted on: ${of}.` }))

/** Meaning of the embedding model's cosine in this workspace. */
const EmbeddingScale = Type.Object({
  model: Type.String(),
  calibration: oneOf(['shipped', 'fitted', 'none'], {
    description: 'Shipped with Assay, fitted by job calibrate once there are 100 Signals, or none: taken as it is.',
  }),
  anchors_at: nullable(
    Type.Number({
      description:
        'The model’s own cosine that anchors, while there are too few Signals to measure nodes by; null: none does.',
    }),
  ),
  skips_at: rawCosine(NEAR_DUPLICATE_AT),
  skips_in_threads_at: rawCosine(NEAR_DUPLICATE_IN_THREADS_AT),
  on_scale: Type.Object(
    { anchors_at: Type.Number(), skips_at: Type.Number(), skips_in_threads_at: Type.Number() },
    { description: 'The same on the calibrated scale, as they are meant: for every model the same numbers.' },
  ),
  compares_words: Type.Boolean({
    description: 'Texts that differ in a number, name, negation or a word of the title are never skipped.',
  }),
  made_pairs: Type.Integer(),
  labelled_pairs: Type.Integer({ description: 'Pairs that people confirmed or refused.' }),
  same_share: share(`what says the same, at ${NEAR_DUPLICATE_AT} and above`),
  copies_share: share(`the copies that are at ${NEAR_DUPLICATE_AT} and above`),
  fitted_at: nullable(instant),
})

/** Scale of the transaction's workspace. */
export const readEmbeddingScale = async (transaction: Transaction, model: string) => {
  const shipped = shippedCalibration(model)
  const fitted = shipped === null ? await findFittedCalibration(transaction, model) : undefined
  const scale: Calibration = shipped ?? (fitted === undefined ? IDENTITY : { knots: fitted.knots, comparesWords: true })
  const { made_pairs = 0, labelled_pairs = 0, same_share = null, copies_share = null } = fitted ?? {}
  return {
    model,
    calibration: originOf(shipped !== null, fitted !== undefined),
    anchors_at: reachable(leastCosineToAttach(model, scale)),
    skips_at: reachable(rawAt(scale, NEAR_DUPLICATE_AT)),
    skips_in_threads_at: reachable(rawAt(scale, NEAR_DUPLICATE_IN_THREADS_AT)),
    on_scale: {
      anchors_at: ATTACH_AT,
      skips_at: NEAR_DUPLICATE_AT,
      skips_in_threads_at: NEAR_DUPLICATE_IN_THREADS_AT,
    },
    compares_words: scale.comparesWords,
    ...{ made_pairs, labelled_pairs, same_share, copies_share },
    fitted_at: fitted?.fitted_at.toISOString() ?? null,
  }
}

const originOf = (isShipped: boolean, isFitted: boolean): 'shipped' | 'fitted' | 'none' => {
  if (isShipped) return 'shipped'
  return isFitted ? 'fitted' : 'none'
}

const reachable = (raw: number): number | null => (raw > 1 ? null : Number(raw.toFixed(4)))

const StepFigures = Type.Object({
  step: Type.String(),
  handled: Type.Integer({ description: 'Signals, repeats and dead letters that it worked on, each once.' }),
  next: Type.Integer(),
  skipped: Type.Integer(),
  retried: Type.Integer(),
  dead_lettered: Type.Integer(),
  p95_duration_ms: Type.Number(),
  newest_received_at: Type.String({ description: 'When the newest signal that it handled was received.' }),
})

const Paused = Type.Object({ step: Type.String(), reason: ownText(), paused_at: instant })

const Group = Type.Object({
  step: Type.String(),
  fault: oneOf(FAULTS),
  error_class: Type.String(),
  dead_letters: Type.Integer(),
  max_dead_letter_count: Type.Integer({ description: 'Above 1: replays of it die again.' }),
  last_failed_at: instant,
  last_message: nullable(untrustedText({ description: 'What the newest died of, its beginning; null while sealed.' })),
})

const LINE = ['signal_id', 'step', 'fault', 'error_class', 'message', 'last_failed_at'] as const
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
    depth: listDepth,
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
      // Letters that die between two pages appear only in a new first page.
      until: input.cursor === undefined ? null : position.at,
      step: input.step ?? null,
      fault: input.fault ?? null,
      error_class: input.error_class ?? null,
    }
    const page = { limit: pageSize(input), offset: position.offset }
    const { paused, embedding, groups, deadLetters } = await read(async transaction => {
      await requireKnownClass(transaction, input.error_class)
      return {
        paused: await pausedSteps(transaction),
        embedding: await readEmbeddingScale(transaction, services.embedder.model),
        groups: await groupDeadLetters(transaction, filter),
        deadLetters: await listDeadLetters(transaction, filter, page),
      }
    })
    const hourAgo = new Date(services.now().getTime() - HOUR_MS)
    const lastHour = await stepFigures(services.analytics, caller.workspaceId, hourAgo)
    const count = groups.reduce((sum, group) => sum + group.dead_letters, 0)
    const lists = createCutLists(input.depth)
    const figures = {
      last_hour: lastHour.map(step => ({ ...step, p95_duration_ms: Number(step.p95_duration_ms.toPrecision(3)) })),
      paused: paused.map(step => ({ ...step, paused_at: step.paused_at.toISOString() })),
      embedding,
      groups: lists.take(
        'groups',
        groups.map(group => ({ ...group, last_failed_at: group.last_failed_at.toISOString() })),
        input.depth === 'summary' ? GROUPS_OF_A_SUMMARY : ANSWER_TOKENS / 2,
        { rest: 'step, fault or error_class narrows them' },
      ),
      count,
    }
    const beside = input.depth === 'summary' ? 0 : estimateTokens(figures)
    const { items, note } = listed(input, deadLetters.map(toDeadLetter), { line: LINE, beside })
    return {
      data: { ...figures, items },
      note: oneNote(lists.note(), note),
      nextCursor: nextCursor('dead_letters', position, items.length, count),
    }
  },
})
