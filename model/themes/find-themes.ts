import { NOTHING } from '../signals/says-nothing.ts'
import { groupsOf } from './average-linkage.ts'
import { type Answered, type FoundMember, type FoundTheme, grow } from './grow.ts'
import { likestPairs } from './likeness.ts'
import type { Meanings } from './meanings.ts'
import { eachPair, type Pairs, pairsWithout } from './pairs.ts'
import { inSteps, meanOf } from './pull.ts'

/** A signal with its own text (`ownWords`). */
export interface SaidSignal {
  readonly text: string
  /** Likelihood that it is noise, 0 to 1. */
  readonly nothing: number
}

/** Fewer members are no theme: a claim holds them. */
const LEAST_MEMBERS = 3
/**
 * Least average likeness of joined groups. Among 1.25 to 3.25 it gave the best agreement with people's themes, on two
 * samples of customers' questions.
 */
const LEAST_LIKENESS = 2.5
/** Likeness below which hardly more than half of the members were right, on the same samples. */
export const DOUBTFUL_BELOW = 3.5
/** Likelihood of noise above which more than half of a theme's signals may not be. */
const NEARLY_NOTHING = 0.7
export const LEAST_LETTERS = 12

/** True when a signal is in no theme, whatever it is near to. */
export const isLeftOut = ({ text, nothing }: SaidSignal): boolean => nothing > NOTHING || text.length < LEAST_LETTERS

export interface FoundThemes {
  /** Themes of the answers in order, each with its confirmed signals and those that it pulls. */
  readonly grown: readonly FoundTheme[]
  /** Themes without confirmed signals, largest first. */
  readonly found: readonly FoundTheme[]
}

/**
 * Computes themes: groups of signals that likely speak of one thing, surest members first. Confirmed signals pull
 * others first; the rest is clustered. Deterministic for the same signals in the same order.
 */
export const findThemes = async (
  signals: readonly SaidSignal[],
  meanings: Meanings,
  answered: readonly Answered[] = [],
): Promise<FoundThemes> => {
  const grown = await grow(answered, meanings)
  const taken = new Set(grown.flatMap(({ members }) => members.map(({ signal }) => signal)))
  const likest = await likestPairs(
    signals.map(({ text }) => text),
    meanings,
  )
  const pairs = pairsWithout(likest.pairs, taken)
  const groups = await groupsOf({ size: signals.length, pairs, least: LEAST_LIKENESS })
  const saysSomething = (group: readonly number[]): boolean =>
    group.filter(at => (signals[at]?.nothing ?? 1) > NEARLY_NOTHING).length * 2 <= group.length
  const found = groups.filter(group => group.length >= LEAST_MEMBERS && saysSomething(group))
  const pullOf = (members: readonly FoundMember[]) =>
    inSteps(meanOf(members.map(({ signal }) => meanings.direction(signal))), likest.steps, LEAST_LIKENESS)
  return { grown, found: ordered(found, pairs).map(members => ({ members, pull: pullOf(members) })) }
}

const ordered = (groups: readonly (readonly number[])[], pairs: Pairs): readonly (readonly FoundMember[])[] => {
  const groupOf = new Map(groups.flatMap((group, at) => group.map(signal => [signal, at] as const)))
  const sums = new Map<number, number>()
  eachPair(pairs, (one, other, likeness) => {
    if (groupOf.get(one) === undefined || groupOf.get(one) !== groupOf.get(other)) return
    for (const signal of [one, other]) sums.set(signal, (sums.get(signal) ?? 0) + likeness)
  })
  return groups
    .map(group =>
      group
        .map(signal => ({ signal, likeness: (sums.get(signal) ?? 0) / (group.length - 1) }))
        .toSorted((one, other) => other.likeness - one.likeness || one.signal - other.signal),
    )
    .toSorted((one, other) => other.length - one.length || (one[0]?.signal ?? 0) - (other[0]?.signal ?? 0))
}
