import { groupPairs, type WaitingPair } from '../../model/merges/group-pairs.ts'
import type { ClaimId, SignalId } from '../../schemas/domain/ids.ts'
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
  /** Pairs that wait for people. */
  readonly proposals: Shown
  /**
   * Those pairs in the groups that people decide on at once: right where two of a group are marked, proposed where both
   * are in one.
   */
  readonly decisions: Shown
  /** Of the marked pairs, how many are one claim once people say yes to each pair that is marked. */
  readonly broughtTogether: Figure
}

interface Shown {
  readonly right: Figure
  /** Of the marked pairs. */
  readonly proposed: Figure
  readonly aSignal: number
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
  return { found, ...skipsOf(measured), ...proposalsOf(measured) }
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

type Proposed = Pick<DuplicateFigures, 'proposals' | 'decisions' | 'broughtTogether'>

const keyOf = (one: SignalId, other: SignalId) => [one, other].toSorted().join(' ')

const proposalsOf = ({ ids, stored, same }: Measured): Proposed => {
  const { proposals, numbers, behind } = stored
  const marked = new Map([...same].flatMap(([id, others]) => [...others].map(other => [keyOf(id, other), [id, other]])))
  const signalsOf = (claims: Iterable<ClaimId>) => [...claims].flatMap(claim => [...(behind.get(claim) ?? [])])
  const shown = (together: readonly (readonly ClaimId[])[]): Shown => {
    const proposed = new Set<string>()
    const right = together.map(claims => {
      const signals = signalsOf(claims)
      const pairs = signals.flatMap((one, place) => signals.slice(place + 1).map(other => keyOf(one, other)))
      for (const pair of pairs) proposed.add(pair)
      return pairs.some(pair => marked.has(pair))
    })
    return {
      right: share(right),
      proposed: share([...marked.keys()].map(pair => proposed.has(pair))),
      aSignal: together.length / Math.max(1, ids.length),
    }
  }
  const isMarked = ({ one, other }: WaitingPair) =>
    signalsOf([one]).some(id => signalsOf([other]).some(to => same.get(id)?.has(to)))
  const claimOf = new Map([...behind].flatMap(([claim, signals]) => [...signals].map(id => [id, claim] as const)))
  const joined = connected(proposals.filter(isMarked))
  const oneOf = (id: SignalId | undefined) => joined(id === undefined ? undefined : claimOf.get(id))
  return {
    proposals: shown(proposals.map(({ one, other }) => [one, other])),
    decisions: shown(
      groupPairs(proposals, claim => numbers.get(claim) ?? 0).map(({ survivor, pairs }) => [
        survivor,
        ...pairs.map(({ claim }) => claim),
      ]),
    ),
    broughtTogether: share(
      [...marked.values()].map(([id, other]) => oneOf(id) !== undefined && oneOf(id) === oneOf(other)),
    ),
  }
}

/** Which claim stands for all that the pairs connect with a claim. */
const connected = (pairs: readonly WaitingPair[]) => {
  const standsFor = new Map<ClaimId, ClaimId>()
  const of = (claim: ClaimId | undefined): ClaimId | undefined => {
    const next = claim === undefined ? undefined : standsFor.get(claim)
    return next === undefined ? claim : of(next)
  }
  for (const { one, other } of pairs) {
    const [left, right] = [of(one), of(other)]
    if (left !== undefined && right !== undefined && left !== right) standsFor.set(left, right)
  }
  return of
}
