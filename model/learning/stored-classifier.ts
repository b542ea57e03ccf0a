import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { CLASSIFICATIONS } from '../../schemas/domain/vocabulary.ts'
import type { Followed } from '../workspaces/follow.ts'
import { CLASSES } from './fit.ts'
import type { LearnedClassifier } from './learned-classifier.ts'
import type { Taught } from './teach.ts'

/** Weights are stored as integers up to this, times the largest weight. */
const LARGEST = 127
const HEAD_BYTES = 4
/** A hash, the term's rarity, and a weight for each class. */
const TERM_BYTES = 4 + 4 + CLASSES

/** The terms in binary form, little-endian: the largest weight, then each term. */
const packTerms = ({ vocabulary: { hashes, rarity }, weights }: LearnedClassifier): Buffer => {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) || 1
  const packed = Buffer.alloc(HEAD_BYTES + hashes.length * TERM_BYTES)
  packed.writeFloatLE(largest, 0)
  for (const [place, hash] of hashes.entries()) {
    const start = HEAD_BYTES + place * TERM_BYTES
    packed.writeUInt32LE(hash, start)
    packed.writeFloatLE(rarity[place] ?? 0, start + 4)
    for (let of = 0; of < CLASSES; of += 1)
      packed.writeInt8(Math.round(((weights[place * CLASSES + of] ?? 0) / largest) * LARGEST), start + 8 + of)
  }
  return packed
}

const unpackTerms = (packed: Buffer): Pick<LearnedClassifier, 'vocabulary' | 'weights'> => {
  const terms = Math.floor((packed.length - HEAD_BYTES) / TERM_BYTES)
  const scale = packed.readFloatLE(0) / LARGEST
  const hashes = new Uint32Array(terms)
  const rarity = new Float32Array(terms)
  const weights = new Float32Array(terms * CLASSES)
  for (let place = 0; place < terms; place += 1) {
    const start = HEAD_BYTES + place * TERM_BYTES
    hashes[place] = packed.readUInt32LE(start)
    rarity[place] = packed.readFloatLE(start + 4)
    for (let of = 0; of < CLASSES; of += 1) weights[place * CLASSES + of] = packed.readInt8(start + 8 + of) * scale
  }
  return { vocabulary: { hashes, rarity }, weights }
}

const STORE = `
  insert into learned_classifiers as known (
    workspace_id, learned_at, learned_changes, revision, beside, lessons, corrections, asked, answered_right, weight, pool, bias, terms)
  values ($1, now(), $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (workspace_id) do update set
    learned_at = excluded.learned_at, learned_changes = excluded.learned_changes, revision = known.revision + 1,
    beside = excluded.beside, lessons = excluded.lessons, corrections = excluded.corrections, asked = excluded.asked,
    answered_right = excluded.answered_right, weight = excluded.weight, pool = excluded.pool, bias = excluded.bias,
    terms = excluded.terms`

interface Fit {
  /** Answer of `lessonChanges` before the lessons were read. */
  readonly changes: number
  /** Version of the built-in classifier. */
  readonly beside: string
  readonly lessons: number
  readonly corrections: number
  /** Null when there were too few lessons. */
  readonly taught: Taught | null
}

/** Stores a fit in place of the earlier one. */
export const storeFit = async (transaction: Transaction, workspaceId: WorkspaceId, fit: Fit): Promise<void> => {
  const { taught, changes, beside, lessons, corrections } = fit
  const weight = taught?.learned.weight ?? 0
  const known = [taught?.tested ?? 0, taught?.answeredRight ?? 0, weight / (1 + weight)]
  const model =
    taught === null ? [null, null, null] : [[1, weight], CLASSIFICATIONS.map(() => 0), packTerms(taught.learned)]
  await transaction.query(STORE, [workspaceId, changes, beside, lessons, corrections, ...known, ...model])
}

const CHANGES = `select changes from learned_classifiers where workspace_id = $1`

/** Number of recorded changes of a workspace's lessons. */
export const lessonChanges = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<number> =>
  (await transaction.query<{ changes: number }>(CHANGES, [workspaceId]))[0]?.changes ?? 0

const REVISIONS = `
  select workspace_id, revision from learned_classifiers
  join workspaces on workspaces.id = workspace_id and learns
  where workspace_id = any ($1::uuid[]) and beside = $2 and weight > 0`

const READ = `select workspace_id, revision, pool, terms from learned_classifiers where workspace_id = any ($1::uuid[])`

/** The active fit of each workspace; none when the fit belongs to another version. */
const readRevisions = async (
  transaction: Transaction,
  workspaceIds: readonly WorkspaceId[],
  beside: string,
): Promise<ReadonlyMap<WorkspaceId, number>> => {
  const rows = await transaction.query<{ workspace_id: WorkspaceId; revision: number }>(REVISIONS, [
    workspaceIds,
    beside,
  ])
  return new Map(rows.map(({ workspace_id, revision }) => [workspace_id, revision]))
}

export interface StoredClassifier {
  readonly revision: number
  readonly learned: LearnedClassifier
}

const readClassifiers = async (
  transaction: Transaction,
  workspaceIds: readonly WorkspaceId[],
): Promise<ReadonlyMap<WorkspaceId, StoredClassifier>> => {
  const rows = await transaction.query<{
    workspace_id: WorkspaceId
    revision: number
    pool: readonly [number, number] | null
    terms: Buffer | null
  }>(READ, [workspaceIds])
  return new Map(
    rows.flatMap(({ workspace_id, revision, pool, terms }) => {
      if (pool === null || terms === null) return []
      return [[workspace_id, { revision, learned: { ...unpackTerms(terms), weight: pool[1] } }] as const]
    }),
  )
}

/** The classifier of each workspace for a version of the built-in classifier, for `followWorkspaces`. */
export const followedClassifiers = (beside: string): Followed<StoredClassifier> => ({
  read: async (transaction, workspaceIds, kept) => {
    const revisions = await readRevisions(transaction, workspaceIds, beside)
    const others = [...revisions].flatMap(([id, revision]) => (kept(id)?.revision === revision ? [] : [id]))
    const read = others.length === 0 ? new Map() : await readClassifiers(transaction, others)
    return new Map(
      [...revisions.keys()].flatMap(id => {
        const stored: StoredClassifier | undefined = read.get(id) ?? kept(id)
        return stored === undefined ? [] : [[id, stored] as const]
      }),
    )
  },
  bytes: ({ learned: { vocabulary, weights } }) =>
    vocabulary.hashes.byteLength + vocabulary.rarity.byteLength + weights.byteLength,
})
