import { groupsOf, type Pair } from './average-linkage.ts'
import { type Answered, type FoundMember, grow } from './grow.ts'
import { likestPairs } from './likeness.ts'
import type { Meanings } from './meanings.ts'

/** A signal, by what it says itself (`ownWords`). */
export interface SaidSignal {
  readonly text: string
  /** How likely it is that it says nothing that anybody could do something about, from 0 to 1. */
  readonly nothing: number
}

/** Fewer are not worth a look: a claim has them. */
const LEAST_MEMBERS = 3
/**
 * Groups are joined while they are so alike on average. Of 1.25 to 3.25 it made the themes that agree best with those
 * of people, on two samples of customers' questions.
 */
const LEAST_LIKENESS = 2.5
/** Of members that are less alike to the others hardly more than half were right, on the same samples. */
export const DOUBTFUL_BELOW = 3.5
/** Signals that are no pair are as alike as any two. */
const ANY_TWO = 0
/** What is so likely to say nothing is in no theme, and of no theme more than half is nearly so. */
export const NOTHING = 0.8
const NEARLY_NOTHING = 0.7
const LEAST_LETTERS = 12

/** Whether a signal is in no theme, whatever it is near to. */
export const isLeftOut = ({ text, nothing }: SaidSignal): boolean => nothing > NOTHING || text.length < LEAST_LETTERS

export interface FoundThemes {
  /** In the order of the answers: each with the signals that were confirmed, and what it pulls. */
  readonly grown: readonly (readonly FoundMember[])[]
  /** Those that nobody confirmed a signal of, the largest first. */
  readonly found: readonly (readonly FoundMember[])[]
}

/**
 * Themes: signals that likely speak of one thing, each with its surest members first. What a person confirmed pulls the
 * rest; what is left is put together where it is near enough. The same signals in the same order make the same.
 */
export const findThemes = async (
  signals: readonly SaidSignal[],
  meanings: Meanings,
  answered: readonly Answered[] = [],
): Promise<FoundThemes> => {
  const grown = await grow(answered, meanings)
  const taken = new Set(grown.flatMap(members => members.map(({ signal }) => signal)))
  const all = await likestPairs(
    signals.map(({ text }) => text),
    meanings,
  )
  const pairs = all.filter(({ one, other }) => !taken.has(one) && !taken.has(other))
  const groups = await groupsOf({ size: signals.length, pairs, otherwise: ANY_TWO, least: LEAST_LIKENESS })
  const saysSomething = (group: readonly number[]): boolean =>
    group.filter(at => (signals[at]?.nothing ?? 1) > NEARLY_NOTHING).length * 2 <= group.length
  const found = groups.filter(group => group.length >= LEAST_MEMBERS && saysSomething(group))
  return { grown, found: ordered(found, pairs) }
}

const ordered = (
  groups: readonly (readonly number[])[],
  pairs: readonly Pair[],
): readonly (readonly FoundMember[])[] => {
  const groupOf = new Map(groups.flatMap((group, at) => group.map(signal => [signal, at] as const)))
  const sums = new Map<number, number>()
  for (const { one, other, likeness } of pairs) {
    if (groupOf.get(one) === undefined || groupOf.get(one) !== groupOf.get(other)) continue
    for (const signal of [one, other]) sums.set(signal, (sums.get(signal) ?? 0) + likeness)
  }
  return groups
    .map(group =>
      group
        .map(signal => ({ signal, likeness: (sums.get(signal) ?? 0) / (group.length - 1) }))
        .toSorted((one, other) => other.likeness - one.likeness || one.signal - other.signal),
    )
    .toSorted((one, other) => other.length - one.length || (one[0]?.signal ?? 0) - (other[0]?.signal ?? 0))
}
