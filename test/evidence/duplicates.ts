import type { SignalId } from '../../schemas/domain/ids.ts'
import { type Candidates, candidatesOf, FIRST, type Part } from './candidates.ts'
import { type Figure, share } from './confidence.ts'
import type { Pipeline } from './pipeline.ts'
import { type LabelledSet, type Report, said } from './sets.ts'
import { readStored, type Stored } from './stored.ts'
import { bm25, cosine, type Ranking, tfIdf } from './yardsticks.ts'

/** A set of reports in a workspace of its own, with what people said of them by the signals' ids. */
interface Measured {
  readonly reports: readonly Report[]
  readonly ids: readonly SignalId[]
  readonly stored: Stored
  /** The signals that people marked as the same as this one. */
  readonly same: ReadonlyMap<SignalId, ReadonlySet<SignalId>>
}

/** A repeat that people did not mark as the same as its original. */
export interface WrongSkip {
  readonly similarity: number
  readonly repeat: string
  readonly original: string
}

type Finder = Part | 'BM25' | 'TF-IDF' | 'exact cosine'

export interface DuplicateFigures {
  /** A true duplicate among the first ten, by who looked for it. */
  readonly found: Readonly<Record<Finder, Figure>>
  readonly skips: Figure
  readonly wrongSkips: readonly WrongSkip[]
  readonly proposals: { readonly right: Figure; readonly proposed: Figure; readonly aSignal: number }
}

/** Takes a tracker's reports through the pipeline and holds what came of them against what people marked. */
export const measureDuplicates = async (
  pipeline: Pipeline,
  { lines }: LabelledSet<Report>,
): Promise<DuplicateFigures> => {
  const workspaceId = await pipeline.workspace()
  const ids = await pipeline.put(workspaceId, lines)
  const places = new Map(lines.map((report, place) => [report.id, place]))
  const marked = lines.map(report => {
    const others = report.duplicate_of.map(id => ids[places.get(id) ?? -1]).filter(id => id !== undefined)
    return new Set(others)
  })
  const same = new Map(ids.map((id, place) => [id, marked[place] ?? new Set<SignalId>()]))
  const stored = await readStored(pipeline, workspaceId)
  const measured: Measured = { reports: lines, ids, stored, same }

  const asked = stored.signals.filter(({ id }) => (same.get(id)?.size ?? 0) > 0)
  const by = async (part: Part) =>
    share(foundAmong(measured, await candidatesOf(pipeline, workspaceId, stored, asked, part)))
  const texts = lines.map(said)
  const found = {
    product: await by('product'),
    words: await by('words'),
    vectors: await by('vectors'),
    BM25: share(rankedAmong(measured, bm25(texts))),
    'TF-IDF': share(rankedAmong(measured, tfIdf(texts))),
    'exact cosine': share(rankedAmong(measured, cosine(await pipeline.embedder.embed(texts)))),
  }
  return { found, ...skipsOf(measured), proposals: proposalsOf(measured) }
}

/** For each report that has a duplicate. One that was skipped as a repeat was found where it repeats one of them. */
const foundAmong = ({ ids, stored, same }: Measured, candidates: Candidates): readonly boolean[] => {
  const repeated = new Map(stored.repeats.map(repeat => [repeat.id, repeat.of]))
  const ofRepeats = Map.groupBy(stored.repeats, repeat => repeat.of)
  return ids.flatMap(id => {
    const others = same.get(id) ?? new Set<SignalId>()
    if (others.size === 0) return []
    const original = repeated.get(id)
    const joined = original === undefined ? (ofRepeats.get(id) ?? []).map(repeat => repeat.id) : [original]
    const first = (candidates.get(id) ?? []).slice(0, FIRST)
    return [joined.some(one => others.has(one)) || first.some(standsFor => [...others].some(one => standsFor.has(one)))]
  })
}

const rankedAmong = ({ ids, same }: Measured, ranking: Ranking): readonly boolean[] =>
  ids.flatMap((id, place) => {
    const others = same.get(id) ?? new Set<SignalId>()
    return others.size === 0 ? [] : [ranking(place, FIRST).some(other => others.has(ids[other] ?? id))]
  })

const SHOWN = 600

const skipsOf = ({ reports, ids, stored, same }: Measured): Pick<DuplicateFigures, 'skips' | 'wrongSkips'> => {
  const textOf = new Map(ids.map((id, place) => [id, reports[place]]))
  const shown = (id: SignalId) => said(textOf.get(id) ?? { title: id, text: '' }).slice(0, SHOWN)
  const near = stored.repeats.filter(({ reason }) => reason === 'near_duplicate')
  const isRight = near.map(({ id, of }) => same.get(id)?.has(of) ?? false)
  const wrongSkips = near
    .filter((_, place) => isRight[place] === false)
    .map(({ id, of, similarity }) => ({ similarity, repeat: shown(id), original: shown(of) }))
  return { skips: share(isRight), wrongSkips }
}

const proposalsOf = ({ ids, stored, same }: Measured): DuplicateFigures['proposals'] => {
  const pairs = stored.proposals.map(([claim, other]) => ({
    one: stored.behind.get(claim) ?? new Set<SignalId>(),
    other: stored.behind.get(other) ?? new Set<SignalId>(),
  }))
  const keyOf = (one: SignalId, other: SignalId) => [one, other].toSorted().join(' ')
  const proposed = new Set<string>()
  const right = pairs.map(({ one, other }) => {
    let isRight = false
    for (const from of one) {
      for (const to of other) {
        proposed.add(keyOf(from, to))
        if (same.get(from)?.has(to) ?? false) isRight = true
      }
    }
    return isRight
  })
  const marked = new Set([...same].flatMap(([id, others]) => [...others].map(other => keyOf(id, other))))
  const isProposed = [...marked].map(pair => proposed.has(pair))
  return {
    right: share(right),
    proposed: share(isProposed),
    aSignal: pairs.length / Math.max(1, ids.length),
  }
}
