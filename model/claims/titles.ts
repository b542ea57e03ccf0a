const SENTENCES = new Intl.Segmenter(undefined, { granularity: 'sentence' })
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })
/** All white space but a single space between two words. */
const SPACING = /(?! \S)\s+/gu
const READ_LENGTH = 1_000
const MAX_TITLE_LENGTH = 120
const MAX_STATEMENT_LENGTH = 1_000
/** Fewer words than this are a greeting more often than a subject. */
const LEAST_WORDS = 3
/** A text of more sentences says early what it is about. */
const MAX_SENTENCES = 12

/** How a greeting, thanks, an address or a plea for help begins, in the languages that most feedback is in. */
const FILLER =
  /^(?:hi|hey|hello|dear|good (?:morning|afternoon|evening|day)|thanks?|thank you|many thanks|regards|best regards|kind regards|cheers|please help|help me|sorry|hope (?:you|this)|i hope|my name is|hallo|guten (?:tag|morgen|abend)|liebe[rs]?|sehr geehrte|danke|vielen dank|mit freundlichen|bonjour|bonsoir|salut|merci|cordialement|hola|buenos d[ií]as|buenas (?:tardes|noches)|gracias|saludos|ol[aá]|bom dia|boa (?:tarde|noite)|obrigad[oa]|ciao|buongiorno|buonasera|salve|grazie|goedemorgen|goedemiddag|beste|bedankt|hej|tack|dzień dobry|cześć|dziękuję|merhaba|teşekkür|здравствуйте|привет|добрый|спасибо|xin chào|cảm ơn|नमस्ते|धन्यवाद|مرحبا|السلام|شكرا)(?![\p{L}\p{N}])|^(?:こんにちは|(?:いつも)?お世話|ありがとう|よろしく|你好|您好|谢谢|안녕하세요|감사)/iu

/** Behind such a word, who praised says what is wrong; and what is wrong is mostly not as it should be. */
const TURNS =
  /^(?:but|except|however|unfortunately|only|since|aber|leider|nur|mais|sauf|pero|sin embargo|mas|porém|ma|però|tranne|maar|helaas|ale|niestety|men|tyvärr|ama|fakat|но|однако|nhưng|しかし|でも|ただ|但是|但|可是|하지만|그런데|लेकिन|मगर|لكن)/iu
const DENIES =
  /(?<![\p{L}\p{N}])(?:not|no|never|nothing|cannot|\p{L}+n['’]t|cant|wont|dont|nicht|kein\p{L}*|nie|pas|jamais|aucune?|n[ãa]o|nunca|non|mai|niet|geen|inte|ingen|не|нет|değil|yok|không|नहीं|لا|لم|ليس)(?![\p{L}\p{N}])|ない|ません|不|没|沒|않|안 |없|못/iu

/** Scripts that write words without spaces: a word of them says as much as a long one. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u
/** Short words join others in most languages, and long ones name things: how much a word of so many letters says. */
const SAYS = [0, 0.1, 0.1, 0.2, 0.5, 0.8] as const
const NUMBER = /^\p{N}/u

/** How rare a word is where the text was said: from 0, in every text, to 1, in none. */
export type RarityOf = (word: string) => number
const unknownRarity: RarityOf = () => 1

interface Sentence {
  readonly text: string
  readonly words: readonly string[]
}

/** The sentences of the beginning of a text, each on one line, with its different words. */
const sentencesOf = (text: string): readonly Sentence[] => {
  const sentences: Sentence[] = []
  for (const { segment } of SENTENCES.segment(text.slice(0, READ_LENGTH).toWellFormed())) {
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

/** How much a word says by its letters, from 0 to 1. */
export const saysOf = (word: string): number =>
  UNSPACED.test(word) || NUMBER.test(word) ? 0.6 : (SAYS[word.length] ?? 1)

/** What comes first is about the matter more often than not: another sentence must say clearly more. */
const LATER = 0.75
const LATEST = 0.5
const TURN_SAYS = 1.3
const DENIAL_SAYS = 1.15

/** How much a sentence says of what the text is about: its telling words, within what a title holds of it. */
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
 * A claim's title: the sentence that says most of what the text is about, on one line, cut after a word when it is
 * longer than 120 characters. A first line that stands alone is a title already.
 */
export const titleOf = (text: string, rarityOf: RarityOf = unknownRarity): string => {
  const sentences = sentencesOf(text)
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

/** Whether a sentence ends its line and has no full stop, as a title that somebody wrote above the text. */
const standsAlone = (sentence: string, text: string): boolean => {
  const start = text.indexOf(sentence)
  return start !== -1 && /^[ \t]*\r?\n/u.test(text.slice(start + sentence.length)) && !/[.!。！]$/u.test(sentence)
}

/** Every title that a text can have given a claim, whatever was rare when it did. */
export const titlesOf = (text: string): readonly string[] => {
  const sentences = sentencesOf(text).map(one => one.text)
  return [titleOf(text), ...sentences, sentences.join(' ')].map(title => cutAfterWord(title, MAX_TITLE_LENGTH))
}

/** A claim's statement: the text that started it, cut after a word when it is longer than 1,000 characters. */
export const statementOf = (text: string): string => cutAfterWord(text, MAX_STATEMENT_LENGTH)

/** At most `limit` UTF-16 units, of which the last is an ellipsis when something was cut. */
const cutAfterWord = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, endOfLastWord(text.slice(0, limit))).toWellFormed()}…`

/** Looked for from the end, since most of the text is in front of it. The last character where there is no word. */
const endOfLastWord = (text: string): number => {
  const segments = WORDS.segment(text)
  let last = segments.containing(text.length - 1)
  while (last !== undefined) {
    const end = last.index + last.segment.length
    // What reaches the edge may be the beginning of a longer word.
    if (last.isWordLike && end < text.length) return end
    last = segments.containing(last.index - 1)
  }
  return text.length - 1
}
