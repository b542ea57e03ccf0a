interface Kept {
  /** What is written where a change is taken back, so that readers see another version and another time. */
  readonly touch?: string
  /**
   * What becomes of a row that the change made, in place of its removal; `$2` is the moment, `$3` who takes it back.
   */
  readonly retire?: string
  /** Rows stand in an order, which is closed up: the column that says which order, and the ids in it. */
  readonly order?: { readonly of: string; readonly id: string }
  /** What others make of it is left to them. */
  readonly isLog?: true
}

const VERSION = 'version = kept.version + 1'
const UPDATED = `${VERSION}, updated_at = $2`

/**
 * The tables whose rows are kept, each behind those that it refers to: rows come back in this order and go in the
 * other. What has a reference keeps it for ever, so it is not removed.
 */
export const KEPT_TABLES = {
  decisions: { isLog: true },
  decision_objects: { isLog: true },
  decision_reversals: {},
  // The edge finds what changed by the database's time.
  sources: { touch: `${VERSION}, changed_at = now()`, retire: 'deleted_at = now()' },
  map_nodes: { touch: UPDATED },
  map_node_vectors: {},
  metric_bindings: {},
  signals: { touch: VERSION },
  node_lessons: {},
  occurrences: {},
  snoozes: {},
  // What goes on through the pipeline is taken back by the rules of Triage.
  taken_out_repeats: { retire: 'in_force = false' },
  claims: { touch: UPDATED, retire: `state = 'dismissed'` },
  claim_evidence: {},
  merge_proposals: {},
  merges: { retire: 'undone_at = $2, undone_by = $3' },
  solutions: { touch: UPDATED, retire: `state = 'Dropped', manual_rank = null` },
  solution_claims: {},
  handoffs: { retire: 'withdrawn_at = $2' },
  // Every version is kept: another one says again what the document said before.
  living_documents: { isLog: true },
  outcomes: { touch: UPDATED },
  outcome_points: {},
  knowledge_notes: {},
  comments: {},
  mentions: {},
  groups: { touch: UPDATED },
  group_solutions: {},
  strategy_elements: { touch: UPDATED, order: { of: 'layer', id: 'id' } },
  strategy_claims: {},
  strategy_solutions: {},
  roadmap_items: { order: { of: 'horizon', id: 'solution_id' } },
  product_reviews: {},
  dead_letters: {},
} as const satisfies Readonly<Record<string, Kept>>

export type KeptTable = keyof typeof KEPT_TABLES

export const keptTable = (name: KeptTable): Kept => KEPT_TABLES[name]

export const isKept = (name: string): name is KeptTable => Object.hasOwn(KEPT_TABLES, name)

/** A row that stands in an order moves when others do. */
export const PLACE = 'position'
