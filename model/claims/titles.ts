import { FILLER } from '../../infra/word-index/filler.ts'

const SENTENCES = new Intl.Segmenter(undefined, { granularity: 'sentence' })
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })
/** All white space except a single space between two words. */
const SPACING = /(?! \S)\s+/gu
const READ_LENGTH = 1_000
const MAX_TITLE_LENGTH = 120
const MAX_STATEMENT_LENGTH = 1_000
/** Fewer words are more often a greeting than a subject. */
const LEAST_WORDS = 3
/** Sentences of a text that are looked at: longer texts say early what they are about. */
const MAX_SENTENCES = 12

/** Beginnings of sentences that turn praise into a complaint, and negations. Sentences with either tell more. */
const TURNS =
  /^(?:but|except|however|unfortunately|only|since|aber|leider|nur|mais|sauf|pero|sin embargo|mas|porém|ma|però|tranne|maar|helaas|ale|niestety|men|tyvärr|ama|fakat|но|однако|nhưng|しかし|でも|ただ|但是|但|可是|하지만|그런데|लेकिन|मगर|لكن)/iu
const DENIES =
  /(?<![\p{L}\p{N}])(?:not|no|never|nothing|cannot|\p{L}+n['’]t|cant|wont|dont|nicht|kein\p{L}*|nie|pas|jamais|aucune?|n[ãa]o|nunca|non|mai|niet|geen|inte|ingen|не|нет|değil|yok|không|नहीं|لا|لم|ليس)(?![\p{L}\p{N}])|ない|ません|不|没|沒|않|안 |없|못/iu

/** Scripts without spaces: one of their words tells as much as a long word elsewhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u
/** Weight of a word by its length: short words join others in most languages, long words name things. */
const SAYS = [0, 0.1, 0.1, 0.2, 0.5, 0.8] as const
const NUMBER = /^\p{N}/u

/** Rarity of a word in a workspace: 0 in every text, 1 in none. */
export type RarityOf = (word: string) => number
const unknownRarity: RarityOf = () => 1

/** The part of a sentence that unlike signals do not share; empty when everything is shared. */
export type OwnOf = (sentence: string) => string
const nothingShared: OwnOf = sentence => sentence

interface Sentence {
  readonly text: string
  readonly words: readonly string[]
}

/** Sentences at the beginning of a text, each on one line, with its different words. */
const sentencesOf = (text: string): readonly Sentence[] => {
  const sentences: Sentence[] = []
  for (const { segment } of SENTENCES.segment(text.trimStart().slice(0, READ_LENGTH).toWellFormed())) {
    const sentence = segment.replace(SPACING, ' ').trim()
    if (sentence !== '') sentences.push({ text: sentence, words: wordsOf(sentence) })
    if (sentences.length === MAX_SENTENCES) break
  }
  return sentences
}

const wordsOf = (sentence: string): readonly string[] => {
  const words: string[] = []
  for (const { segment, isWordLike } of WORDS.segment(sentence)) if (isWordLike) words.push(segment.toLowerCase())
  return words
}

/** Weight of a word by its letters, 0 to 1. */
export const saysOf = (word: string): number =>
  UNSPACED.test(word) || NUMBER.test(word) ? 0.6 : (SAYS[word.length] ?? 1)

/** Factors for later sentences: an earlier sentence names the subject more often. */
const LATER = 0.75
const LATEST = 0.5
const TURN_SAYS = 1.3
const DENIAL_SAYS = 1.15

/** Weight of a sentence: its telling words, as far as a title holds them. */
const telling = ({ text, words }: Sentence, place: number, rarityOf: RarityOf): number => {
  const share = Math.min(1, MAX_TITLE_LENGTH / text.length)
  let says = 0
  for (const word of new Set(words)) says += saysOf(word) * rarityOf(word)
  const early = place === 0 ? 1 : Math.max(LATEST, LATER - place / 20)
  const turned = TURNS.test(text) ? TURN_SAYS : 1
  const denied = DENIES.test(text) ? DENIAL_SAYS : 1
  return ((says * share) / Math.sqrt(words.length)) * early * turned * denied
}

/**
 * A claim's title: the sentence that tells most about the text, on one line, cut after a word at 120 characters. A
 * first line that stands alone is the title. Passages that unlike signals share are left out, unless the text has
 * nothing else.
 */
export const titleOf = (text: string, rarityOf: RarityOf = unknownRarity, ownOf: OwnOf = nothingShared): string => {
  const all = sentencesOf(text)
  const own = all.flatMap(sentence => {
    const said = ownOf(sentence.text)
    if (said === sentence.text) return [sentence]
    return said === '' ? [] : [{ text: said, words: wordsOf(said) }]
  })
  const sentences = own.some(({ words }) => words.length >= LEAST_WORDS) ? own : all
  const candidates = sentences.filter(one => one.words.length >= LEAST_WORDS && !FILLER.test(one.text))
  const [first] = candidates
  if (first === undefined) {
    const any = sentences.find(({ words }) => words.length >= LEAST_WORDS)
    return cutAfterWord(any?.text ?? sentences.map(one => one.text).join(' '), MAX_TITLE_LENGTH)
  }
  if (standsAlone(first.text, text)) return cutAfterWord(first.text, MAX_TITLE_LENGTH)
  let best = first
  let most = 0
  for (const [place, sentence] of candidates.entries()) {
    const says = telling(sentence, place, rarityOf)
    if (says <= most) continue
    best = sentence
    most = says
  }
  return cutAfterWord(best.text, MAX_TITLE_LENGTH)
}

/** True when a sentence ends its line without a full stop, as a title above a text. */
const standsAlone = (sentence: string, text: string): boolean => {
  const start = text.indexOf(sentence)
  return start !== -1 && /^[ \t]*\r?\n/u.test(text.slice(start + sentence.length)) && !/[.!。！]$/u.test(sentence)
}

/** Every title that a text can have given a claim, whatever words were rare at the time; the whole text's is last. */
export const titlesOf = (text: string, ownOf: OwnOf = nothingShared): readonly string[] => {
  const sentences = sentencesOf(text).map(one => one.text)
  const own = ownOf === nothingShared ? [] : sentences.map(ownOf)
  return [titleOf(text), ...sentences, ...own, sentences.join(' ')].map(title => cutAfterWord(title, MAX_TITLE_LENGTH))
}

/** A claim's statement: the text that started it, cut after a word at 1,000 characters. */
export const statementOf = (text: string): string => cutAfterWord(text, MAX_STATEMENT_LENGTH)

/** At most `limit` UTF-16 units, the last an ellipsis when something was cut. */
const cutAfterWord = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, endOfLastWord(text.slice(0, limit))).toWellFormed()}…`

/** Searches from the end, because most of the text is before it. The last character when there is no word. */
const endOfLastWord = (text: string): number => {
  const segments = WORDS.segment(text)
  let last = segments.containing(text.length - 1)
  while (last !== undefined) {
    const end = last.index + last.segment.length
    // A word at the edge may be the beginning of a longer word.
    if (last.isWordLike && end < text.length) return end
    last = segments.containing(last.index - 1)
  }
  return text.length - 1
}
