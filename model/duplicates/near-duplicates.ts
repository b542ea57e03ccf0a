import { type Calibration, rawAt } from '../../infra/models/calibration.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import { withinRemainingCpu } from '../../infra/runtime/cpu-budget.ts'
import { signBits } from '../../infra/vector-index/sign-bits.ts'
import { fromVectorBytes, toVectorBatch, vectorOf } from '../../infra/vectors.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Channel } from '../../schemas/domain/vocabulary.ts'
import type { Content, Embedding, SignalRecord } from '../../schemas/events/signal.ts'
import { NEAR_DUPLICATE_AT, NEAR_DUPLICATE_IN_THREADS_AT, readCalibrations } from '../calibrations/calibrations.ts'
import type { Neighbours } from '../neighbours/neighbours.ts'
import { saysTheSameAs } from './wording/says-the-same.ts'
import { readWording } from './wording/wording.ts'

/** Vectors have single precision: a cosine of 0.88 may come out lower by this. */
const COSINE_TOLERANCE = 1e-6

/** Thresholds of a repeat in a model's raw cosine. */
export interface RepeatRule {
  readonly least: number
  readonly leastInThreads: number
  /** Vectors that differ in more sign bits are not compared. */
  readonly mostDifferingBits: number
  /** Whether a text must also say the same word for word, as far as words tell. */
  readonly comparesWords: (text: string) => boolean
}

/** While nobody knows what a model's cosine means, texts of so many words may be of one template: words decide. */
const LONG_TEXT = 20
const isLong = (text: string): boolean => text.trim().split(/\s+/u, LONG_TEXT).length === LONG_TEXT

export const repeatRuleOf = (calibration: Calibration): RepeatRule => {
  const least = rawAt(calibration, NEAR_DUPLICATE_AT) - COSINE_TOLERANCE
  return {
    least,
    leastInThreads: rawAt(calibration, NEAR_DUPLICATE_IN_THREADS_AT) - COSINE_TOLERANCE,
    mostDifferingBits: differingBitsAt(least),
    comparesWords: text => calibration.comparesWords || isLong(text),
  }
}

const BITS = 1024
const DEVIATIONS = 4
/** An angle of 45°: models whose bits vary more than by chance are searched up to here. */
const LEAST_DIFFERING_BITS = 256

/**
 * Most sign bits in which two vectors of a cosine differ. Each bit differs with the probability angle / 180°: for a
 * cosine of 0.81 that is 204 of 1,024 bits on average, with a standard deviation of 13.
 */
const differingBitsAt = (cosine: number): number => {
  const share = Math.acos(Math.min(1, Math.max(-1, cosine))) / Math.PI
  const bits = BITS * share + DEVIATIONS * Math.sqrt(BITS * share * (1 - share))
  return Math.max(LEAST_DIFFERING_BITS, Math.ceil(bits))
}

/** Nearest vectors by sign bits that are compared exactly. */
const COMPARED = 16
/** Near vectors whose texts are compared word for word. */
export const COMPARED_BY_WORDS = 4

// Probes are materialized, because a vector would otherwise be built again for each compared row. `offset 0` makes the
// planner use the index for each look-up, whatever its statistics say.
const COMPARE = `
  with probe as materialized (
    select ordinal, channel, model, least, least_in_threads, compares_words, ${vectorOf('$3', 'ordinal')} as embedding
    from unnest($1::text[], $2::text[], $6::float8[], $7::float8[], $8::boolean[])
      with ordinality as requested (channel, model, least, least_in_threads, compares_words, ordinal)
  ), near as materialized (
    select probe.ordinal, probe.compares_words, candidate.signal_id, candidate.similarity,
      row_number() over (partition by probe.ordinal order by candidate.similarity desc, candidate.number) as rank
    from unnest($4::int[], $5::uuid[]) as pair (ordinal, signal_id)
    join probe using (ordinal)
    cross join lateral (
      select stored.signal_id, 1 - (stored.embedding <=> probe.embedding) as similarity, signals.number, signals.channel
      from (
        select signal_id, embedding from signal_vectors where signal_id = pair.signal_id and model = probe.model offset 0
      ) as stored
      cross join lateral (select number, channel from signals where id = stored.signal_id offset 0) as signals
    ) as candidate
    where candidate.similarity
      >= case when candidate.channel = 'email' and probe.channel = 'email' then probe.least_in_threads else probe.least end
  )
  select ordinal::int - 1 as position, signal_id, similarity, case when compares_words then stored.text end as text
  from near
  cross join lateral (select text from signals where id = near.signal_id offset 0) as stored
  where rank <= case when compares_words then ${COMPARED_BY_WORDS} else 1 end
  order by ordinal, rank`

interface DuplicateProbe {
  readonly id: SignalId
  readonly workspaceId: WorkspaceId
  readonly channel: Channel
  readonly model: string
  readonly vector: Float32Array
  readonly text: string
}

/** The fields of each signal that the search needs. */
export const duplicateProbesOf = (
  signals: readonly (Pick<SignalRecord, 'signal_id' | 'workspace_id' | 'channel'> & {
    readonly content: Pick<Content, 'text'>
    readonly embedding: Embedding
  })[],
): readonly DuplicateProbe[] =>
  withinRemainingCpu(() =>
    signals.map(({ signal_id, workspace_id, channel, content, embedding }) => ({
      id: signal_id,
      workspaceId: workspace_id,
      channel,
      model: embedding.model,
      vector: fromVectorBytes(embedding.vector),
      text: content.text,
    })),
  )

export interface NearDuplicate {
  readonly signalId: SignalId
  readonly similarity: number
}

interface Row {
  readonly position: number
  readonly signal_id: SignalId
  readonly similarity: number
  /** Null when vectors alone decide. */
  readonly text: string | null
}

/**
 * The nearest other signal of each probe's workspace and model that is near enough for a repeat and says the same by
 * its words; null without one. Memory picks the few to compare, the database measures them. Refresh `neighbours` for
 * the probes' spaces before.
 */
export const findNearDuplicates = async (
  transaction: Transaction,
  neighbours: Pick<Neighbours, 'nearest'>,
  probes: readonly DuplicateProbe[],
): Promise<readonly (NearDuplicate | null)[]> => {
  const calibrationOf = await readCalibrations(transaction, probes)
  const looked = probes.map(probe => {
    const rule = repeatRuleOf(calibrationOf(probe))
    return { probe, rule, candidates: candidatesOf(neighbours, probe, rule) }
  })
  const worth = looked.filter(({ candidates }) => candidates.length > 0)
  if (worth.length === 0) return probes.map(() => null)

  const pairs = worth.flatMap(({ candidates }, index) => candidates.map(signalId => ({ ordinal: index + 1, signalId })))
  const rows = await transaction.query<Row>(COMPARE, [
    worth.map(({ probe }) => probe.channel),
    worth.map(({ probe }) => probe.model),
    toVectorBatch(worth.map(({ probe }) => probe.vector)),
    pairs.map(pair => pair.ordinal),
    pairs.map(pair => pair.signalId),
    worth.map(({ rule }) => rule.least),
    worth.map(({ rule }) => rule.leastInThreads),
    worth.map(({ rule, probe }) => rule.comparesWords(probe.text)),
  ])
  const near = Map.groupBy(rows, row => worth[row.position]?.probe)
  return withinRemainingCpu(() => probes.map(probe => firstThatSaysTheSame(probe, near.get(probe) ?? [])))
}

const candidatesOf = (
  neighbours: Pick<Neighbours, 'nearest'>,
  probe: DuplicateProbe,
  { mostDifferingBits }: RepeatRule,
): readonly SignalId[] =>
  neighbours
    .nearest(probe, signBits(probe.vector), COMPARED)
    .filter(({ signalId, distance }) => signalId !== probe.id && distance <= mostDifferingBits)
    .map(({ signalId }) => signalId)

/** Expects the nearest first. */
const firstThatSaysTheSame = (probe: DuplicateProbe, near: readonly Row[]): NearDuplicate | null => {
  const words = near.some(({ text }) => text !== null) ? readWording(probe.text) : []
  const found = near.find(({ text }) => text === null || saysTheSameAs(words, text))
  return found === undefined ? null : { signalId: found.signal_id, similarity: found.similarity }
}
