import type { Calibration } from '../../infra/models/calibration.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { NodeId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Anchor } from '../../schemas/events/signal.ts'
import { anchorTo, type NearestNode } from './anchor.ts'
import { fitOf, scoreOf } from './fit.ts'
import { NEAREST } from './nearest.ts'

// Vectors are compared in the database, so that none travels. A signal that somebody moved stays at its node.
const READ = `
  with page as materialized (
    select id, number, node_id, node_score from signals
    where workspace_id = $1 and number > $2 order by number limit $4
  ), met as materialized (
    select page.id as position, $1::uuid as workspace_id, $3::text as model,
      (stored.embedding::real[])::vector(1024) as embedding
    from page
    left join lateral (
      select embedding from signal_vectors where signal_id = page.id and model = $3 offset 0
    ) as stored on true
  ), ${NEAREST}
  select page.id, page.number, page.node_id, page.node_score, met.embedding is not null as has_vector,
    lesson.node_id as lesson_id, nearest.node_id as nearest_id, nearest.likeness, nearest.other_node,
    nearest.is_measured, own.likeness as own_likeness
  from page
  join met on met.position = page.id
  left join node_lessons as lesson on lesson.workspace_id = $1 and lesson.signal_id = page.id
  left join nearest on nearest.position = page.id
  left join pair as own on own.position = page.id and own.node_id = page.node_id
  order by page.number`

interface Row {
  readonly id: SignalId
  readonly number: number
  readonly node_id: NodeId | null
  readonly node_score: number | null
  readonly has_vector: boolean
  /** Node to which a person moved the signal. */
  readonly lesson_id: NodeId | null
  /** Null, as are the next fields, when no node can be compared with the signal. */
  readonly nearest_id: NodeId | null
  readonly likeness: number | null
  readonly other_node: number | null
  readonly is_measured: boolean | null
  /** Null when the signal's node cannot be compared with it. */
  readonly own_likeness: number | null
}

export interface PlacedSignal {
  readonly id: SignalId
  readonly number: number
  /** Stored anchor. */
  readonly anchor: Anchor
  /** Null when the signal has no vector of the model. */
  readonly compared: Compared | null
}

interface Compared {
  readonly lesson: NodeId | null
  readonly nearest: NearestNode | null
  /** The signal's present node with its likeness. */
  readonly own: NearestNode | null
}

/** The next signals behind a number, each with the map's nearest node under the model. */
export const readPlaces = async (
  transaction: Transaction,
  range: { readonly workspaceId: WorkspaceId; readonly after: number; readonly model: string },
  most: number,
): Promise<readonly PlacedSignal[]> => {
  const rows = await transaction.query<Row>(READ, [range.workspaceId, range.after, range.model, most])
  return rows.map(row => ({
    id: row.id,
    number: row.number,
    anchor: { node_id: row.node_id, score: row.node_score },
    compared: row.has_vector ? comparedOf(row) : null,
  }))
}

const comparedOf = ({ lesson_id: lesson, nearest_id, node_id, own_likeness, ...row }: Row): Compared => {
  const { likeness, other_node, is_measured } = row
  if (nearest_id === null || likeness === null || is_measured === null) return { lesson, nearest: null, own: null }
  const fit = fitOf({ likeness, other_node, is_measured })
  const isNearest = node_id === nearest_id
  return {
    lesson,
    nearest: { nodeId: nearest_id, fit },
    own:
      node_id === null || own_likeness === null
        ? null
        : { nodeId: node_id, fit: isNearest ? fit : { ...fit, likeness: own_likeness, otherNode: likeness } },
  }
}

/** A signal that fits another place than it has, or fits its place otherwise than is stored. */
export interface BetterPlace {
  readonly id: SignalId
  readonly before: Anchor
  readonly anchor: Anchor
}

/** Those of the signals whose place, or whose score at it, is another on the map as it is. */
export const betterPlaces = (
  signals: readonly PlacedSignal[],
  model: string,
  calibration: Calibration,
): readonly BetterPlace[] =>
  signals.flatMap(({ id, anchor: before, compared }) => {
    if (compared === null) return []
    const anchor = reAnchored(compared, model, calibration)
    return sameAnchor(before, anchor) ? [] : [{ id, before, anchor }]
  })

/**
 * Margin by which another node must fit better, on the calibrated scale. A change of the map must not shuffle signals
 * that fit two nodes about equally.
 */
const MARGIN = 0.05

/**
 * A moved signal stays. A signal at a node moves when another node fits and is better by the margin. A signal without a
 * node takes the nearest node that fits.
 */
const reAnchored = ({ lesson, nearest, own }: Compared, model: string, calibration: Calibration): Anchor => {
  if (lesson !== null) return { node_id: lesson, score: 1 }
  const found = anchorTo(nearest, model, calibration)
  if (own === null || found.node_id === own.nodeId) return found
  const score = scoreOf(own.fit, model, calibration)
  return found.node_id !== null && (found.score ?? 0) >= score + MARGIN ? found : { node_id: own.nodeId, score }
}

/** Scores are stored in single precision. */
const sameAnchor = (stored: Anchor, found: Anchor): boolean =>
  stored.node_id === found.node_id &&
  (stored.score === null || found.score === null
    ? stored.score === found.score
    : Math.fround(stored.score) === Math.fround(found.score))
