import { type Calibration, rawAt } from '../../infra/models/calibration.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import { withinRest } from '../../infra/runtime/cpu-budget.ts'
import { signBits } from '../../infra/vector-index/sign-bits.ts'
import { fromVectorBytes, toVectorBatch, vectorOf } from '../../infra/vectors.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Channel } from '../../schemas/domain/vocabulary.ts'
import type { Content, Embedding, SignalRecord } from '../../schemas/events/signal.ts'
import { NEAR_DUPLICATE_AT, NEAR_DUPLICATE_IN_THREADS_AT, readCalibrations } from '../calibrations/calibrations.ts'
import type { Neighbours } from '../neighbours/neighbours.ts'
import { saysTheSame } from './wording/says-the-same.ts'
import { readWording } from './wording/wording.ts'

/** Vectors are of float32: a cosine that is meant to be 0.88 comes out up to this much below. */
const COSINE_TOLERANCE = 1e-6

/** The thresholds in the raw cosine of a model. */
export interface RepeatRule {
  readonly least: number
  readonly leastInThreads: number
  /** With more sign bits that differ, two vectors are not compared any further. */
  readonly mostDifferingBits: number
  readonly comparesWords: boolean
}

export const repeatRuleOf = (calibration: Calibration): RepeatRule => {
  const least = rawAt(calibration, NEAR_DUPLICATE_AT) - COSINE_TOLERANCE
  return {
    least,
    leastInThreads: rawAt(calibration, NEAR_DUPLICATE_IN_THREADS_AT) - COSINE_TOLERANCE,
    mostDifferingBits: differingBitsAt(least),
    comparesWords: calibration.comparesWords,
  }
}

const BITS = 1024
const DEVIATIONS = 4
/** An angle of 45°: models whose bits stray more than chance are looked at as far. */
const LEAST_DIFFERING_BITS = 256

/**
 * How many sign bits two vectors of a cosine differ in at most. Each bit differs with the share that their angle has of
 * 180°: for a cosine of 0.81 that is 204 bits of 1,024 on average, give or take 13.
 */
const differingBitsAt = (cosine: number): number => {
  const share = Math.acos(Math.min(1, Math.max(-1, cosine))) / Math.PI
  const bits = BITS * share + DEVIATIONS * Math.sqrt(BITS * share * (1 - share))
  return Math.max(LEAST_DIFFERING_BITS, Math.ceil(bits))
}

/** How many of the nearest by sign bits are compared exactly. */
const COMPARED = 16
/** How many of those that are near enough are compared word for word. */
export const COMPARED_BY_WORDS = 4

// Probes are materialized, because a vector would otherwise be put together again for each row that it is compared
// with; `offset 0` keeps each look-up one by its index, whatever the planner knows of the tables.
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

/** What of each signal is looked for. */
export const duplicateProbesOf = (
  signals: readonly (Pick<SignalRecord, 'signal_id' | 'workspace_id' | 'channel'> & {
    readonly content: Pick<Content, 'text'>
    readonly embedding: Embedding
  })[],
): readonly DuplicateProbe[] =>
  withinRest(() =>
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
  /** Null where vectors alone decide. */
  readonly text: string | null
}

/**
 * For each probe the nearest other signal of its workspace and model that is near enough to be repeated, and says the
 * same as far as words tell; null where there is none. Memory says which few are worth a look, the database how near
 * they are. `neighbours` must be refreshed for the probes' spaces.
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
    worth.map(({ rule }) => rule.comparesWords),
  ])
  const near = Map.groupBy(rows, row => worth[row.position]?.probe)
  return withinRest(() => probes.map(probe => firstThatSaysTheSame(probe, near.get(probe) ?? [])))
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

/** The nearest first. */
const firstThatSaysTheSame = (probe: DuplicateProbe, near: readonly Row[]): NearDuplicate | null => {
  const words = near.some(({ text }) => text !== null) ? readWording(probe.text) : []
  const found = near.find(({ text }) => text === null || saysTheSame(words, readWording(text)))
  return found === undefined ? null : { signalId: found.signal_id, similarity: found.similarity }
}
