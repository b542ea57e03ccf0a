import { type Static, Type } from 'typebox'
import { embedEach } from '../../../infra/models/batching-embedder.ts'
import { IDENTITY } from '../../../infra/models/calibration.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { cosine } from '../../../infra/vectors.ts'
import {
  type Fit,
  fitCalibration,
  type LabelledPair,
  storeCalibration,
} from '../../../model/calibrations/calibrations.ts'
import {
  type MadePair,
  madePairs,
  readLabelledPairs,
  readTextsToCalibrate,
  seededRandom,
} from '../../../model/calibrations/pairs.ts'
import { saysTheSameAs } from '../../../model/duplicates/wording/says-the-same.ts'
import { readWording } from '../../../model/duplicates/wording/wording.ts'
import { counted, plural } from '../../../schemas/domain/for-people.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { inWorkspace } from '../in-workspace.ts'
import { cursorReader, type JobDefinition, type JobSlice, type SliceResult } from '../job-kind.ts'

const SIGNALS_A_SLICE = 25
const SIGNALS = 300
/** A fit on fewer pairs is meaningless: the raw cosine is used. */
const LEAST_PAIRS = 50
const UNKNOWN: Fit = { knots: IDENTITY.knots, sameShare: null, copiesShare: null }

/** Pages go from the newest signal back. */
const Cursor = Type.Object({
  /** Embedding model of the pairs. The job starts over when the processors have another model. */
  model: Type.String(),
  before: Type.Integer(),
  worked: Type.Integer(),
  /** Pairs so far that words do not tell apart: the raw cosine, and true when both say the same. */
  pairs: Type.Array(Type.Tuple([Type.Number(), Type.Boolean()])),
})
type Cursor = Static<typeof Cursor>
const readCursor = cursorReader(Cursor)

export interface CalibrateDependencies {
  readonly database: Database
  readonly embedder: Embedder
}

/**
 * Fits a calibration of the embedder's cosines for a workspace, on pairs made from its texts and pairs that people
 * decided on.
 */
export const createCalibrateJob = ({ database, embedder }: CalibrateDependencies): JobDefinition => ({
  kind: 'calibrate',
  slice: async slice => {
    const { workspaceId } = slice
    const inside = inWorkspace({ database }, workspaceId)
    const cursor = beginning(slice, embedder.model)
    const left = SIGNALS - (cursor?.worked ?? 0)
    const texts = await inside(reading =>
      readTextsToCalibrate(reading, workspaceId, cursor?.before ?? null, Math.min(SIGNALS_A_SLICE, left)),
    )
    const last = texts.at(-1)
    if (last === undefined) return inside(writing => fit(writing, workspaceId, embedder.model, cursor))
    const made = texts.flatMap(({ number, text }, index) =>
      madePairs(text, texts[(index + 1) % texts.length]?.text ?? '', seededRandom(number)),
    )
    const pairs = [...(cursor?.pairs ?? []), ...(await compare(embedder, made))]
    const worked = (cursor?.worked ?? 0) + texts.length
    return { cursor: { model: embedder.model, before: last.number, worked, pairs }, done: texts.length, failed: 0 }
  },
})

const beginning = (slice: JobSlice, model: string): Cursor | null => {
  const cursor = readCursor(slice.cursor)
  return cursor?.model === model ? cursor : null
}

const wordsAgree = (left: string, right: string): boolean => saysTheSameAs(readWording(left), right)

/** A text without a vector makes no pair. */
const compare = async (embedder: Embedder, made: readonly MadePair[]): Promise<readonly Cursor['pairs'][number][]> => {
  const alike = made.filter(({ left, right }) => wordsAgree(left, right))
  const vectors = await embedEach(
    embedder,
    alike.flatMap(({ left, right }) => [left, right]),
  )
  return alike.flatMap(({ same }, index) => {
    const one = vectors[2 * index]
    const other = vectors[2 * index + 1]
    if (one === undefined || other === undefined || isAssayError(one) || isAssayError(other)) return []
    return [[cosine(one, other), same] as [number, boolean]]
  })
}

const fit = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  model: string,
  cursor: Cursor | null,
): Promise<SliceResult> => {
  const made: LabelledPair[] = (cursor?.pairs ?? []).map(([raw, same]) => ({ raw, same }))
  const said = await readLabelledPairs(transaction, { workspaceId, model })
  const labelled = said.filter(({ left, right }) => wordsAgree(left, right))
  const pairs = [...made, ...labelled]
  const result = { cursor: null, done: 0, failed: 0, total: cursor?.worked ?? 0 }
  const isEnough = pairs.length >= LEAST_PAIRS
  const fitted = isEnough ? fitCalibration(pairs) : UNKNOWN
  const counts = { made: made.length, labelled: labelled.length }
  await storeCalibration(transaction, { workspaceId, model }, fitted, counts)
  if (isEnough) return result
  return {
    ...result,
    message: `${counted(pairs.length, 'pair')} ${plural(pairs.length, 'is', 'are')} too few to fit on: the cosine is taken as it is.`,
  }
}
