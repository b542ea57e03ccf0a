import type { Transaction } from '../../infra/postgres/port.ts'
import type { VectorSpace } from '../neighbours/stored-bits.ts'

/** Characters of a text that a pair is made from. */
const MAX_CHARACTERS = 2000

const TEXTS = `
  select number, left(text, ${MAX_CHARACTERS}) as text from signals
  where workspace_id = $1 and ($2::int is null or number < $2) order by number desc limit $3`

/** The newest signals before a number, or of all. */
export const readTextsToCalibrate = (
  transaction: Transaction,
  workspaceId: VectorSpace['workspaceId'],
  before: number | null,
  most: number,
): Promise<readonly { readonly number: number; readonly text: string }[]> =>
  transaction.query(TEXTS, [workspaceId, before, most])

const MAX_PAIRS = 500
const EVIDENCE_LOOKED_AT = 5

/** The signals of a claim itself, wherever it was merged into since. */
const ownSignals = (claim: string): string => `(
  select signal_id from claim_evidence
  where claim_id = surviving_claim(${claim}) and case when claim_id = ${claim} then origins = '{}' else ${claim} = any (origins) end
  limit ${EVIDENCE_LOOKED_AT})`

// The nearest signals of two claims show what the decision about the claims meant.
const LABELLED = `
  with said as (
    (select true as same, id as left_id, signal_id as right_id from occurrences
     where workspace_id = $1 and reason = 'member' order by received_at desc limit ${MAX_PAIRS})
    union
    (select false, id, original_id from taken_out_repeats
     where workspace_id = $1 and in_force order by taken_out_at desc limit ${MAX_PAIRS})
    union
    (select state = 'confirmed', nearest.left_id, nearest.right_id
     from (
       select state, claim_id, candidate_claim_id from merge_proposals
       where workspace_id = $1 and state in ('confirmed', 'refused') and not implied order by decided_at desc limit ${MAX_PAIRS}
     ) as settled
     cross join lateral (
       select one.signal_id as left_id, other.signal_id as right_id
       from ${ownSignals('settled.claim_id')} as one
       cross join ${ownSignals('settled.candidate_claim_id')} as other
       join signal_vectors as one_vector on one_vector.signal_id = one.signal_id and one_vector.model = $2
       join signal_vectors as other_vector on other_vector.signal_id = other.signal_id and other_vector.model = $2
       order by one_vector.embedding <=> other_vector.embedding limit 1
     ) as nearest)
  )
  select same, 1 - (left_vector.embedding <=> right_vector.embedding) as raw,
    left(left_signal.text, ${MAX_CHARACTERS}) as left, left(right_signal.text, ${MAX_CHARACTERS}) as right
  from said
  join signal_vectors as left_vector on left_vector.signal_id = left_id and left_vector.model = $2
  join signal_vectors as right_vector on right_vector.signal_id = right_id and right_vector.model = $2
  join signals as left_signal on left_signal.id = left_id
  join signals as right_signal on right_signal.id = right_id`

/**
 * Pairs that people marked as repeats or took out, and pairs of claims that were merged or are kept apart, with the raw
 * cosine of their signals.
 */
export const readLabelledPairs = (
  transaction: Transaction,
  { workspaceId, model }: VectorSpace,
): Promise<
  readonly { readonly same: boolean; readonly raw: number; readonly left: string; readonly right: string }[]
> => transaction.query(LABELLED, [workspaceId, model])

/** A made pair: a text as people send it twice, or with one change that makes it another. */
export interface MadePair {
  readonly left: string
  readonly right: string
  readonly same: boolean
}

/** A random number in [0, 1). */
type Random = () => number

const WORD = /[\p{L}\p{M}]{4,}/gu
const NUMBER = /\d+/gu

const pick = <Item>(items: readonly Item[], random: Random): Item | undefined =>
  items[Math.floor(random() * items.length)]

const replaceAt = (text: string, at: number, length: number, by: string): string =>
  text.slice(0, at) + by + text.slice(at + length)

/** Swaps two letters of a word. */
const withSlip = (text: string, random: Random): string => {
  const word = pick(
    [...text.matchAll(WORD)].filter(([found]) => found.length >= 6),
    random,
  )
  if (word === undefined) return `${text} `
  const at = word.index + 2 + Math.floor(random() * (word[0].length - 4))
  return replaceAt(text, at, 2, `${text[at + 1] ?? ''}${text[at] ?? ''}`)
}

/** Changes that a text may get on its way, without words of a language where possible. */
const COPIES: readonly ((text: string, random: Random) => string)[] = [
  withSlip,
  text => text.replace(/[.,;!]/g, ''),
  text => `${text.replaceAll('\n', '\n\n').replaceAll(' ', '  ')}!`,
  text => text.replace(/^/gm, '> '),
  (text, random) => withSlip(text.toLowerCase(), random),
  text => `Hello,\n\n${text}`,
  text => `${text}\n\nThanks,\nAlex`,
]

/** Each breaks one thing of a text; null when the text has no such thing. */
const BREAKS: readonly ((text: string, other: string, random: Random) => string | null)[] = [
  (text, _other, random) => {
    const found = pick([...text.matchAll(NUMBER)], random)
    return found ? replaceAt(text, found.index, found[0].length, String(Number(found[0].slice(0, 9)) + 1)) : null
  },
  (text, other, random) => {
    const found = pick([...text.slice(0, 200).matchAll(WORD)], random)
    const by = pick([...other.slice(0, 200).matchAll(WORD)], random)?.[0]
    if (!found || by === undefined || by.toLowerCase() === found[0].toLowerCase()) return null
    return replaceAt(text, found.index, found[0].length, by)
  },
]

/**
 * At most one copy and one broken text for a text of the workspace; `other` is another text, to take a word from. All
 * choices follow from `random`, so a repeated job makes the same pairs.
 */
export const madePairs = (text: string, other: string, random: Random): readonly MadePair[] => {
  const copy = pick(COPIES, random)?.(text, random)
  const first = Math.floor(random() * BREAKS.length)
  const broken = BREAKS[first]?.(text, other, random) ?? BREAKS[1 - first]?.(text, other, random) ?? null
  return [
    ...(copy === undefined ? [] : [{ left: text, right: copy, same: true }]),
    ...(broken === null ? [] : [{ left: text, right: broken, same: false }]),
  ]
}

/** Pseudo-random numbers from a seed (mulberry32). */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
