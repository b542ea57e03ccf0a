import { yieldToEventLoop } from '../../infra/runtime/turns.ts'
import { wordFormsOf } from '../../infra/word-index/terms.ts'
import { type Passage, passagesOf } from './passages.ts'

/** Fewer texts that have a passage may have it by chance, or be copies of each other. */
const LEAST_TEXTS = 3
/** So many of the texts with a passage are compared. */
const COMPARED = 12
/** A rest of fewer words says too little to tell copies from others. */
const LEAST_WORDS = 4
/** Words of one language that have nothing to do with each other have about a tenth of their words in common. */
const UNLIKE = 0.25
const A_TURN = 50

/**
 * What each text says itself. A passage that recurs in texts whose rests are unlike each other, such as a greeting, a
 * signature, a label of a form or a disclaimer, is left out: it makes none of them more like another. What copies of
 * one text have in common stays, since their rests are alike or next to nothing.
 */
export const ownWords = async (texts: readonly string[]): Promise<readonly string[]> => {
  const passages: (readonly Passage[])[] = []
  const having = new Map<string, number[]>()
  for (const [at, text] of texts.entries()) {
    if (at % A_TURN === 0) await yieldToEventLoop()
    const own = passagesOf(text)
    passages.push(own)
    for (const key of new Set(own.map(passage => passage.key))) {
      const known = having.get(key)
      if (known === undefined) having.set(key, [at])
      else known.push(at)
    }
  }
  const recurs = (key: string): boolean => (having.get(key)?.length ?? 0) >= LEAST_TEXTS
  const restOf = (text: number): readonly Passage[] => (passages[text] ?? []).filter(({ key }) => !recurs(key))
  const shared = new Set<string>()
  for (const [key, those] of having) {
    if (those.length < LEAST_TEXTS) continue
    await yieldToEventLoop()
    if (areUnlike(spread(those, COMPARED).map(restOf))) shared.add(key)
  }
  return passages.map(own =>
    own
      .filter(({ key }) => !shared.has(key))
      .map(({ text }) => text)
      .join('\n'),
  )
}

/** At most so many of a list, evenly over it. */
const spread = <Item>(items: readonly Item[], atMost: number): readonly Item[] =>
  items.length <= atMost
    ? items
    : Array.from({ length: atMost }, (_, at) => items[Math.floor((at * items.length) / atMost)]).filter(
        item => item !== undefined,
      )

/** Whether most of the rests say something, each another thing. */
const areUnlike = (rests: readonly (readonly Passage[])[]): boolean => {
  const words = rests
    .map(rest => new Set(wordFormsOf(rest.map(passage => passage.text).join('\n'))))
    .filter(rest => rest.size >= LEAST_WORDS)
  if (words.length < LEAST_TEXTS || words.length * 2 < rests.length) return false
  let sum = 0
  let pairs = 0
  for (const [at, one] of words.entries())
    for (const other of words.slice(at + 1)) {
      sum += (2 * [...one].filter(word => other.has(word)).length) / (one.size + other.size)
      pairs += 1
    }
  return sum / pairs < UNLIKE
}
