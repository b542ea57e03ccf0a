import { yieldToEventLoop } from '../../infra/runtime/yielding.ts'
import { wordFormsOf } from '../../infra/word-index/terms.ts'
import { joinPassages, type Passage, passagesOf } from './passages.ts'

/** Fewer texts may share a passage by chance, or be copies of each other. */
const LEAST_TEXTS = 3
/** Texts with a passage that are compared. */
const COMPARED = 12
/** A rest with fewer words does not tell copies from other texts. */
const LEAST_WORDS = 4
/** Part of common words below which two texts are unlike. Unrelated texts of one language share about a tenth. */
const UNLIKE = 0.25
const A_TURN = 50

/** The own part of each text, and the keys of shared passages. */
export interface OwnWords {
  readonly own: readonly string[]
  readonly shared: ReadonlySet<string>
}

/**
 * The own part of each text. A passage that unlike texts share is left out, such as a greeting, a signature, a form's
 * label or a disclaimer, because it makes texts similar that are not. A passage that copies of one text share stays,
 * because the rest of these texts is alike or almost empty.
 */
export const ownWords = async (texts: readonly string[]): Promise<OwnWords> => {
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
  const own = passages.map(some => joinPassages(some.filter(({ key }) => !shared.has(key))))
  return { own, shared }
}

/** At most `atMost` items, spread evenly over the list. */
const spread = <Item>(items: readonly Item[], atMost: number): readonly Item[] =>
  items.length <= atMost
    ? items
    : Array.from({ length: atMost }, (_, at) => items[Math.floor((at * items.length) / atMost)]).filter(
        item => item !== undefined,
      )

/** True when most of the rests say something, and different things. */
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
