import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { RoadmapPosition } from '../roadmap/roadmap.ts'
import type { FieldChange, SolutionFields } from '../solutions/change-solution.ts'

/** A Solution as it is, and what one Decision changed of it, the last change first. */
export interface Reversible {
  readonly fields: SolutionFields
  readonly claims: readonly ClaimId[]
  readonly changes: readonly Readonly<Record<string, unknown>>[]
  /** The reference of a later Decision that placed it on the roadmap, and stands. */
  readonly placedSince: string | null
}

export interface Reversal {
  /** The fields as they were before the Decision; only those that differ. */
  readonly wanted: Partial<SolutionFields>
  readonly link: readonly ClaimId[]
  readonly unlink: readonly ClaimId[]
  /** Where it stood on the roadmap before, null for nowhere; absent when that is not what was changed. */
  readonly place?: RoadmapPosition | null
  /** Whether it handed the Solution off: that is withdrawn. */
  readonly withdraws: boolean
  /** What was changed since, in sentences: nothing is undone while there is any. */
  readonly obstacles: readonly string[]
  /** Parts of the change that are not undone this way, by their names. */
  readonly left: readonly string[]
}

const FIELDS = [
  'title',
  'summary',
  'state',
  'manual_rank',
  'priority_boost',
] as const satisfies readonly (keyof SolutionFields)[]
/** What a change tells beside what it changed. */
const BESIDE = new Set<string>([
  ...FIELDS,
  'added_claim_ids',
  'removed_claim_ids',
  'handoff',
  'created',
  'claim_ids',
  'comment',
  'carried_out_by',
  'reverses',
  'undoes',
  'roadmap',
  // These are changes of the element, and undone there.
  'linked_strategy',
  'unlinked_strategy',
])

/**
 * Works out, from the last change to the first, what the Solution was before them. A Solution that was created is
 * dropped.
 */
export const planReversal = ({ fields, claims, changes, placedSince }: Reversible): Reversal => {
  const now = new Map<string, unknown>(Object.entries(fields))
  const answered = new Set(claims)
  const obstacles: string[] = []
  const left = new Set<string>()
  let place: RoadmapPosition | null | undefined
  for (const change of changes) {
    for (const field of FIELDS) {
      const changed = fieldChange(change, field)
      if (changed === null) continue
      if (now.get(field) === changed.to) now.set(field, changed.from)
      else obstacles.push(`its ${field} was changed since, from ${shown(changed.to)} to ${shown(now.get(field))}`)
    }
    const placed = fieldChange(change, 'roadmap')
    // Decisions are written by this service alone, with places.
    if (placed !== null) place = placed.from as RoadmapPosition | null
    for (const claim of idsOf(change.added_claim_ids)) {
      if (!answered.delete(claim)) obstacles.push('a claim that was added was taken off or merged since')
    }
    for (const claim of idsOf(change.removed_claim_ids)) {
      if (answered.has(claim)) obstacles.push('a claim that was taken off was added again since')
      answered.add(claim)
    }
    for (const name of Object.keys(change)) if (!BESIDE.has(name)) left.add(name)
  }
  if (place !== undefined && placedSince !== null)
    obstacles.push(`it was placed on the roadmap by ${placedSince} since`)
  const state = now.get('state')
  if (place && (state === 'Done' || state === 'Dropped')) {
    obstacles.push(`it is ${state}, and the roadmap takes what is still to be done`)
  }
  return {
    wanted: Object.fromEntries(
      FIELDS.filter(field => now.get(field) !== fields[field]).map(field => [field, now.get(field)]),
    ),
    link: [...answered].filter(claim => !claims.includes(claim)),
    unlink: claims.filter(claim => !answered.has(claim)),
    ...(place !== undefined && { place }),
    withdraws: changes.some(change => 'handoff' in change),
    obstacles,
    left: [...left],
  }
}

const fieldChange = (change: Readonly<Record<string, unknown>>, field: string): FieldChange | null => {
  if (field === 'state' && change.created === true) return { from: 'Dropped', to: 'Backlog' }
  const changed = change[field]
  return typeof changed === 'object' && changed !== null && 'from' in changed && 'to' in changed ? changed : null
}

// Decisions are written by this service alone, with ids of claims.
const idsOf = (ids: unknown): readonly ClaimId[] => (Array.isArray(ids) ? (ids as ClaimId[]) : [])

const MAX_SHOWN = 60

const shown = (value: unknown): string => JSON.stringify(value ?? null).slice(0, MAX_SHOWN)
