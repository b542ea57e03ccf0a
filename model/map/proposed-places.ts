import type { Calibration } from '../../infra/models/calibration.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { NodeId, SignalId } from '../../schemas/domain/ids.ts'
import type { Classification } from '../../schemas/domain/vocabulary.ts'
import type { VectorSpace } from '../neighbours/stored-bits.ts'
import { SAYS_NOTHING } from '../signals/says-nothing.ts'
import { ATTACH_AT, type Fit, type FitRow, fitOf, scoreOf } from './fit.ts'
import { NEAREST } from './nearest.ts'

/** Newest signals without a node that are compared: a thousand with 300 texts take about half a second. */
const MAX_UNPLACED = 1_000
/**
 * With measured nodes: the least score of a likely node, at which a third of the proposals are right. A place is clear
 * from the score of an anchor on; such a signal only waits for the next run of the job.
 */
const LIKELY_AT = 0.55
/** Without measured nodes: the least score of a clear place, and the least distance to the next node's cosine. */
const CLEAR_AT = ATTACH_AT / 2
const CLEAR_BY = 0.05
/** Characters of a text, of which a list shows an excerpt. */
const CHARACTERS = 2_000

/** A signal without a node, with its likely node. */
export interface ProposedPlace {
  readonly signal_id: SignalId
  readonly number: number
  readonly text: string
  readonly classification: Classification
  readonly version: number
  readonly node_id: NodeId
  /** Score as of an anchor. */
  readonly score: number
  /** True when the fit is good and no other node fits nearly as well. */
  readonly is_clear: boolean
}

// Noise and dismissed signals need no place.
const UNPLACED = `node_id is null and state <> 'dismissed' and not ${SAYS_NOTHING}`

const COUNT = `select count(*)::integer as signals from signals where workspace_id = $1 and ${UNPLACED}`

const PLACES = `
  with unplaced as materialized (
    select id, number, text, classification, version from signals
    where workspace_id = $1 and ${UNPLACED} order by number desc limit ${MAX_UNPLACED}
  ), met as materialized (
    select unplaced.id as position, $1::uuid as workspace_id, $2::text as model,
      (stored.embedding::real[])::vector(1024) as embedding
    from unplaced cross join lateral (
      select embedding from signal_vectors where signal_id = unplaced.id and model = $2 offset 0
    ) as stored
  ), ${NEAREST}
  select position as signal_id, number, left(text, ${CHARACTERS}) as text, classification, version, node_id, likeness,
    other_node, is_measured
  from nearest join unplaced on id = position
  where likeness > 0`

type StoredPlace = Omit<ProposedPlace, 'score' | 'is_clear'> & FitRow

/** Number of signals without a node, and the likely node of each of the newest, surest first. */
export const proposedPlaces = async (
  transaction: Transaction,
  { workspaceId, model }: VectorSpace,
  calibration: Calibration,
): Promise<{ readonly unplaced: number; readonly places: readonly ProposedPlace[] }> => {
  const [counted] = await transaction.query<{ signals: number }>(COUNT, [workspaceId])
  const rows = await transaction.query<StoredPlace>(PLACES, [workspaceId, model])
  const places = rows.flatMap(({ likeness, other_node, is_measured, ...row }) => {
    const fit = fitOf({ likeness, other_node, is_measured })
    const score = scoreOf(fit, model, calibration)
    return fit.isMeasured && score < LIKELY_AT ? [] : [{ ...row, score, is_clear: isClear(fit, score) }]
  })
  return {
    unplaced: counted?.signals ?? 0,
    places: places.toSorted((one, other) => other.score - one.score || one.number - other.number),
  }
}

const isClear = ({ likeness, otherNode, isMeasured }: Fit, score: number): boolean =>
  isMeasured ? score >= ATTACH_AT : score >= CLEAR_AT && (otherNode === null || likeness - otherNode >= CLEAR_BY)
