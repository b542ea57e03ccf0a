import { CONCEPTS, findConcepts, isCommonIn, languagesOf } from './lexicon.ts'
import { partsOf } from './parts.ts'
import { readTones, TONES, TROUBLES, WANTS } from './tone.ts'
import { type Word, wordsOf } from './words.ts'

type Patterns = Readonly<Record<string, RegExp>>

/** Hints of the sender's `event`. */
const EVENT_HINTS: Patterns = {
  event_problem: /bug|error|incident|complaint|crash|fail|outage|problem|alert|down/i,
  event_idea: /feature|idea|suggest|wish|improvement/i,
  event_question: /question|how.?to|inquiry|enquiry/i,
  event_quiet: /succe|resolved|renewed|closed|signed|finished|completed|\bup\b/i,
}

/** What signs say, whatever the language. */
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

/** A text with a title, or with more words than that, is a report: it mentions much that it is not about. */
const REPORT_WORDS = 45

/** Features that are there when one of several is. */
const ANY: Readonly<Record<string, readonly string[]>> = {
  asks: ['question_mark', 'opens_open', 'inquiry'],
  any_trouble: TROUBLES,
  any_want: WANTS,
  title_trouble: ['title_fault', 'title_inability', 'title_wrong', 'title_loss', 'title_slow'],
  title_want: ['title_wish', 'title_propose', 'title_add', 'title_lack', 'title_youcan', 'title_task'],
  title_asks: ['title_question_mark', 'title_opens_open', 'title_inquiry', 'title_doubt'],
}

/** A text without any of them names nothing that could be put right, built or answered, however long it is. */
const NAMES_SOMETHING = [
  ...['any_trouble', 'any_want', 'question_mark', 'inquiry', 'doubt', 'plea', 'why', 'task', 'sale', 'others'],
  ...['stack_trace', 'http_failure', 'low_rating', ...FORM_SIGNS],
]

/**
 * Features that mean something else together: who asks why something fails has a problem, who thanks for a cure has
 * none any more.
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
 * Names that are put together once: a name made anew for each text is hashed anew, and that costs more than what it
 * names.
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

/** Every feature that a text can have. The order is that of the weights. */
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

/** A text with fewer words is in too many languages at once to tell. */
const LEAST_WORDS_TO_TELL = 4
/**
 * Of the different words of a text in a known language, at least so many are among its common ones or in its word list.
 */
const LEAST_KNOWN_SHARE = 0.2
/** The same where there are both: that is no accident, but many words with typing errors. */
const LEAST_SHARE_OF_BOTH = 0.1
const WORDS_TO_TELL = 60
/**
 * Letters that no language with a word list writes: of Czech, Romanian, Danish, Ukrainian, Persian and others. Names
 * have them, too.
 */
const FOREIGN_LETTER = /[ěřůťďňčšžőűșțţþðæøāēģīķļņūėįųĉĝĥĵŝŭħġċəіїєґўјљњћџђәғқңұһپچژگکیٹڈڑںے]/iu
/** Where there are such letters, so many of the different words must be known. */
const LEAST_SHARE_BESIDE_FOREIGN = 0.5

export interface Reading {
  /** The names of the features that a text with its event has; each counts once, however often its words come. */
  readonly features: ReadonlySet<string>
  /** No word list fits: nothing but the event and the form of the text was read. */
  readonly isForeign: boolean
}

/**
 * No features at all where nothing is known of a text, such as one in a language without a word list: it must not be
 * guessed at.
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

/** Answers whether too few of the words are known to read the text. */
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
 * What machines and rating forms write is the same in every language; a question mark alone says little of what is
 * asked for.
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
