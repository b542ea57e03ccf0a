import { CONCEPTS, findConcepts, isCommonIn, languagesOf } from './lexicon.ts'
import { partsOf } from './parts.ts'
import { readTones, TONES, TROUBLES, WANTS } from './tone.ts'
import { type Word, wordsOf } from './words.ts'

type Patterns = Readonly<Record<string, RegExp>>

/** Hints in the sender's `event`. */
const EVENT_HINTS: Patterns = {
  event_problem: /bug|error|incident|complaint|crash|fail|outage|problem|alert|down/i,
  event_idea: /feature|idea|suggest|wish|improvement/i,
  event_question: /question|how.?to|inquiry|enquiry/i,
  event_quiet: /succe|resolved|renewed|closed|signed|finished|completed|\bup\b/i,
}

/** Patterns of signs, for every language. */
const SIGNS: Patterns = {
  question_mark: /[?؟]["'”»)\]]*(?:\s|$)|？/u,
  last_is_question: /[?？؟]["'”»)\]\s]*$/u,
  exclamation: /!/,
  stack_trace: /^[ \t]*at \S|\w(?:Error|Exception)\b|^[ \t]*[{[]"/m,
  code: /`[^`]+`|#\d+|\/[a-z]+\/|\d\.\d+\.\d/,
  http_failure: /\b50[0234]\b/,
  low_rating: /\b(?:rating|nps|score|nota?e?)\W{0,3}[0-4]\b/i,
  high_rating: /\b(?:rating|nps|score|nota?e?)\W{0,3}(?:[7-9]|10)\b/i,
  happy_sign: /[❤♥👍😍😊🥰💕😀😁😃😄🙂👌💯⭐🌟💖]|(?:^|\s)(?::-?[)D]|<3)/u,
  sad_sign: /[😡😠👎😞😢😭🤬💩😤]|(?:^|\s):-?[(/]/u,
}

const FORM_SIGNS = [
  ...['form_steps', 'form_expected', 'form_environment', 'form_fault', 'form_wish', 'form_query'],
  ...['declared_problem', 'declared_idea', 'declared_question', 'prefix_problem', 'prefix_idea', 'prefix_question'],
  ...['code_block', 'quote', 'log', 'template', 'task_list'],
]

const LENGTHS = [2, 5, 10, 20, 45, 90, 180] as const

/** A text with a title, or with more words, is a report: it mentions much beside its subject. */
const REPORT_WORDS = 45

/** Features that are set when one of several is. */
const ANY: Readonly<Record<string, readonly string[]>> = {
  asks: ['question_mark', 'opens_open', 'inquiry'],
  any_trouble: TROUBLES,
  any_want: WANTS,
  title_trouble: ['title_fault', 'title_inability', 'title_wrong', 'title_loss', 'title_slow'],
  title_want: ['title_wish', 'title_propose', 'title_add', 'title_lack', 'title_youcan', 'title_task'],
  title_asks: ['title_question_mark', 'title_opens_open', 'title_inquiry', 'title_doubt'],
}

/**
 * Features that name something to repair, build or answer. A text without any of them names nothing, however long it
 * is.
 */
const NAMES_SOMETHING = [
  ...['any_trouble', 'any_want', 'question_mark', 'inquiry', 'doubt', 'plea', 'why', 'task', 'sale', 'others'],
  ...['stack_trace', 'http_failure', 'low_rating', ...FORM_SIGNS],
]

/**
 * Pairs of features that mean something else together: a question about a failure is a problem, thanks for a repair is
 * none.
 */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  asks: [
    ...['fault', 'inability', 'wrong', 'loss', 'slow', 'money', 'onset', 'others', 'displeasure', 'alarm'],
    ...['add', 'youcan', 'wish', 'need', 'lack', 'sale', 'why', 'inquiry', 'propose', 'attempt', 'self', 'code_block'],
  ],
  reassure: ['fault', 'inability', 'wrong', 'slow', 'loss'],
  thanks: ['fault', 'inability', 'wrong', 'slow', 'loss', 'wish', 'add'],
  praise: ['lack', 'wish', 'add'],
  lack: ['add', 'wish', 'need', 'youcan'],
  wish: ['add', 'propose', 'need', 'youcan'],
  youcan: ['add', 'inquiry', 'repair'],
  why: ['lack', 'fault', 'wrong', 'loss', 'money'],
  not: ['fault'],
  onset: ['not', 'slow'],
  self: ['any_trouble', 'any_want', 'attempt'],
  title_asks: ['title_trouble', 'title_want', 'any_trouble', 'any_want'],
  report: ['any_trouble', 'any_want', 'asks', 'question_mark', 'last_is_question', 'names_nothing', ...TONES],
  names_nothing: [
    ...['praise', 'displeasure', 'onset', 'not', 'open', 'benefit', 'first_praise', 'happy_sign', 'self'],
    ...LENGTHS.slice(1).map(length => `over_${length}_words`),
  ],
  only_praise: ['onset', 'over_10_words', 'over_20_words', 'over_45_words', 'first_praise'],
  happy_sign: ['any_trouble', 'any_want'],
}

/**
 * Names of the pairs, built once: a name that is built for each text must be hashed again, which costs more than the
 * look-up.
 */
const PAIRS = Object.entries(TOGETHER).map(([one, others]) => ({
  one,
  others: others.map(other => ({ other, name: `${one}_and_${other}` })),
}))
const PLACES = new Map(
  CONCEPTS.map(concept => [
    concept,
    {
      first: `first_${concept}`,
      opens: `opens_${concept}`,
      title: `title_${concept}`,
      titleOpens: `title_opens_${concept}`,
      report: `report_${concept}`,
    },
  ]),
)
const OVER = LENGTHS.map(length => ({ length, name: `over_${length}_words` }))

/** Every feature of a text, in the order of the weights. */
export const FEATURES: readonly string[] = [
  'always',
  ...[...PLACES].flatMap(([concept, names]) => [concept, ...Object.values(names)]),
  ...Object.keys(SIGNS),
  'report',
  'title_question_mark',
  ...FORM_SIGNS,
  ...TONES,
  ...Object.keys(EVENT_HINTS),
  ...OVER.map(({ name }) => name),
  ...Object.keys(ANY),
  'names_nothing',
  ...PAIRS.flatMap(({ others }) => others.map(({ name }) => name)),
]

/** A text with fewer words fits too many languages. */
const LEAST_WORDS_TO_TELL = 4
/**
 * Least part of a text's different words that a known language must contain, among its common words or in its word
 * list.
 */
const LEAST_KNOWN_SHARE = 0.2
/**
 * The same when the text has both common and listed words: such a text is in that language, with many typing errors.
 */
const LEAST_SHARE_OF_BOTH = 0.1
const WORDS_TO_TELL = 60
/**
 * Letters of languages without a word list: Czech, Romanian, Danish, Ukrainian, Persian and others. Names contain them,
 * too.
 */
const FOREIGN_LETTER = /[ěřůťďňčšžőűșțţþðæøāēģīķļņūėįųĉĝĥĵŝŭħġċəіїєґўјљњћџђәғқңұһپچژگکیٹڈڑںے]/iu
/** The same for a text with such letters. */
const LEAST_SHARE_BESIDE_FOREIGN = 0.5

export interface Reading {
  /** Names of the features of a text and its event. Each counts once, however often its words come. */
  readonly features: ReadonlySet<string>
  /** True when no word list fits: only the event and the form of the text were read. */
  readonly isForeign: boolean
}

/**
 * The features of a text. None when nothing of the text is known, such as its language, since a guess would be wrong.
 */
export const featuresOf = (text: string, event: string | null): ReadonlySet<string> => read(text, event).features

export const read = (text: string, event: string | null): Reading => {
  const parts = partsOf(text)
  const titled = parts.title === '' ? parts.body : `${parts.title}\n${parts.body}`
  const words = wordsOf(titled)
  const titleWords = parts.title === '' ? 0 : wordsOf(parts.title).length
  const found = new Set(['always'])
  const isForeign = addConcepts(words, titleWords, FOREIGN_LETTER.test(titled), found)
  if (isForeign) for (const one of found) if (one !== 'always') found.delete(one)
  addSigns(titled, parts.title, isForeign, found)
  for (const sign of parts.signs) if (!isForeign || /^(?:declared|prefix)_/.test(sign)) found.add(sign)
  if (event !== null) for (const name of Object.keys(EVENT_HINTS)) if (EVENT_HINTS[name]?.test(event)) found.add(name)
  if (found.size === 1) return { features: new Set(), isForeign }
  if (parts.title !== '' || words.length > REPORT_WORDS) {
    found.add('report')
    PLACES.forEach(({ report }, concept) => {
      if (found.has(concept)) found.add(report)
    })
  }
  for (const { length, name } of OVER) if (words.length > length) found.add(name)
  addCombined(found)
  return { features: found, isForeign }
}

const LETTERS = /^\p{L}/u

/** Adds concepts to `found`. Answers true when too few words are known to read the text. */
const addConcepts = (words: readonly Word[], titleWords: number, isStrange: boolean, found: Set<string>): boolean => {
  const { languages, likeliest } = languagesOf(words)
  const tones = readTones()
  let sentence = 0
  let counted = 0
  const known = findConcepts(words, languages, (concept, opens, at) => {
    for (; counted < at; counted += 1) if (words[counted + 1]?.opens === true) sentence += 1
    tones.add(concept, sentence)
    const names = PLACES.get(concept)
    if (names === undefined) return
    found.add(concept)
    if (at === 0) found.add(names.first)
    if (opens) found.add(names.opens)
    if (at >= titleWords) return
    found.add(names.title)
    if (opens) found.add(names.titleOpens)
  })
  for (const tone of tones.tones()) found.add(tone)
  const all = new Set<string>()
  let knownCount = 0
  for (const { text } of words.slice(0, WORDS_TO_TELL)) {
    if (all.has(text) || !LETTERS.test(text)) continue
    all.add(text)
    if (known.has(text) || isCommonIn(likeliest, text)) knownCount += 1
  }
  const usualShare = known.size > 0 && likeliest !== 0 ? LEAST_SHARE_OF_BOTH : LEAST_KNOWN_SHARE
  const leastShare = isStrange ? LEAST_SHARE_BESIDE_FOREIGN : usualShare
  return knownCount < (isStrange || all.size >= LEAST_WORDS_TO_TELL ? all.size * leastShare : 1)
}

/**
 * Signs that are the same in every language: output of machines and of rating forms. A question mark is not among them,
 * because alone it says little.
 */
const ANYWHERE = ['stack_trace', 'http_failure', 'low_rating', 'high_rating']

const addSigns = (titled: string, title: string, isForeign: boolean, found: Set<string>): void => {
  for (const name of isForeign ? ANYWHERE : Object.keys(SIGNS)) if (SIGNS[name]?.test(titled)) found.add(name)
  if (isForeign) return
  if (SIGNS.question_mark?.test(title)) found.add('title_question_mark')
}

const addCombined = (found: Set<string>): void => {
  for (const name of Object.keys(ANY)) if (ANY[name]?.some(one => found.has(one))) found.add(name)
  if (!NAMES_SOMETHING.some(one => found.has(one))) found.add('names_nothing')
  for (const { one, others } of PAIRS) {
    if (!found.has(one)) continue
    for (const { other, name } of others) if (found.has(other)) found.add(name)
  }
}
