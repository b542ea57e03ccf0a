import { type Figure, share } from './confidence.ts'
import type { WrongSkip } from './duplicates.ts'
import type { Pipeline } from './pipeline.ts'
import { type LabelledSet, type Pair, said } from './sets.ts'
import { readStored } from './stored.ts'

export interface PairFigures {
  /** Of the pairs whose right side was skipped as a repeat of its left one, how many say the same. */
  readonly skips: Figure
  /** How many of the pairs that say the same were joined. */
  readonly joined: Figure
  readonly wrongSkips: readonly WrongSkip[]
}

/**
 * Every left side is stored, then the right sides come: only what is skipped as a repeat of its own left side is
 * judged.
 */
export const measurePairs = async (pipeline: Pipeline, { lines }: LabelledSet<Pair>): Promise<PairFigures> => {
  const workspaceId = await pipeline.workspace()
  const left = await pipeline.put(
    workspaceId,
    lines.map(pair => pair.left),
  )
  const right = await pipeline.put(
    workspaceId,
    lines.map(pair => pair.right),
  )
  const { repeats } = await readStored(pipeline, workspaceId)
  const repeated = new Map(repeats.map(repeat => [repeat.id, repeat]))
  const judged = lines.map((pair, place) => {
    const id = right[place]
    const repeat = id === undefined ? undefined : repeated.get(id)
    return { pair, repeat: repeat?.reason === 'near_duplicate' && repeat.of === left[place] ? repeat : undefined }
  })
  return {
    skips: share(judged.filter(({ repeat }) => repeat !== undefined).map(({ pair }) => pair.same)),
    joined: share(judged.filter(({ pair }) => pair.same).map(({ repeat }) => repeat !== undefined)),
    wrongSkips: judged.flatMap(({ pair, repeat }) =>
      repeat === undefined || pair.same
        ? []
        : [{ similarity: repeat.similarity, repeat: said(pair.right), original: said(pair.left) }],
    ),
  }
}
