/**
 * Pairs that an embedding model is calibrated on, made of texts that are there: the same text as people send it twice,
 * and the text with one word that makes it another. What is drawn by lot follows from `random`, so that a job which is
 * done again makes the same pairs.
 */

export interface MadePair {
  readonly left: string
  readonly right: string
  readonly same: boolean
}

/** 0 to 1, the latter excluded. */
export type Random = () => number

const WORD = /[\p{L}\p{M}]{4,}/gu
const NUMBER = /\d+/gu

const pick = <Item>(items: readonly Item[], random: Random): Item | undefined =>
  items[Math.floor(random() * items.length)]

const replaceAt = (text: string, at: number, length: number, by: string): string =>
  text.slice(0, at) + by + text.slice(at + length)

/** Two letters of a word change places. */
const withSlip = (text: string, random: Random): string => {
  const word = pick(
    [...text.matchAll(WORD)].filter(([found]) => found.length >= 6),
    random,
  )
  if (word === undefined) return `${text} `
  const at = word.index + 2 + Math.floor(random() * (word[0].length - 4))
  return replaceAt(text, at, 2, `${text[at + 1] ?? ''}${text[at] ?? ''}`)
}

/** What happens to a text on its way, in no language's words where possible. */
const COPIES: readonly ((text: string, random: Random) => string)[] = [
  withSlip,
  text => text.replace(/[.,;!]/g, ''),
  text => `${text.replaceAll('\n', '\n\n').replaceAll(' ', '  ')}!`,
  text => text.replace(/^/gm, '> '),
  (text, random) => withSlip(text.toLowerCase(), random),
  text => `Hello,\n\n${text}`,
  text => `${text}\n\nThanks,\nAlex`,
]

/** Each breaks one thing; null where there is nothing of its kind to break. */
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
 * At most one copy and one broken text for a text of the workspace; `other` is another of its texts, to take a word
 * from.
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

/** Numbers that look drawn by lot and are the same for the same seed (mulberry32). */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
