import { CONCEPTS, findConcepts } from './lexicon.ts'
import { wordsOf } from './words.ts'

/** Where a report says what it is about; what follows is mostly quoted detail. */
const READ_LENGTH = 2_000

/** What an address is made of says nothing about the text. */
const LINK = /\bhttps?:\/\/\S+/g

type Patterns = Readonly<Record<string, RegExp>>

/** Hints of the sender's `event`. */
const EVENT_HINTS: Patterns = {
  event_problem: /bug|error|incident|complaint|crash|fail|outage|problem|alert|down/i,
  event_idea: /feature|idea|suggest|wish|improvement/i,
  event_question: /question|how.?to|inquiry|enquiry/i,
  event_quiet: /succe|resolved|renewed|closed|signed|finished|completed|\bup\b/i,
}

/** What signs say, whatever the language. A question mark in a link asks nothing. */
const SIGNS: Patterns = {
  question_mark: /[?؟]["'”»)\]]*(?:\s|$)|？/u,
  last_is_question: /[?？؟]["'”»)\]\s]*$/u,
  exclamation: /!/,
  stack_trace: /^[ \t]*at \S|\w(?:Error|Exception)\b|^[ \t]*[{[]"/m,
  code: /`[^`]+`|#\d+|\/[a-z]+\/|\d+\.\d+\.\d+/,
  http_failure: /\b50[0234]\b/,
  low_rating: /\b(?:rating|nps|score|nota?e?)\W{0,3}[0-4]\b/i,
  high_rating: /\b(?:rating|nps|score|nota?e?)\W{0,3}(?:[7-9]|10)\b/i,
}

const LENGTHS = [2, 5, 10, 20, 45] as const

/** Features that are there when one of several is. */
const ANY: Readonly<Record<string, readonly string[]>> = {
  asks: ['question_mark', 'opens_open', 'inquiry'],
  any_trouble: ['fault', 'inability', 'wrong', 'loss', 'slow', 'money', 'alarm'],
  any_want: ['wish', 'propose', 'add', 'lack', 'need', 'youcan'],
}

/** Features that mean something else together: who asks why something fails has a problem, who thanks for a cure has none any more. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  asks: [
    ...['fault', 'inability', 'wrong', 'loss', 'slow', 'money', 'onset', 'others', 'displeasure', 'alarm'],
    ...['add', 'youcan', 'wish', 'need', 'lack', 'sale', 'why', 'inquiry', 'propose'],
  ],
  reassure: ['fault', 'inability', 'wrong', 'slow', 'loss'],
  thanks: ['fault', 'inability', 'wrong', 'slow', 'loss', 'wish', 'add'],
  praise: ['lack', 'wish', 'add'],
  lack: ['add', 'wish', 'need', 'youcan'],
  wish: ['add', 'propose', 'need', 'youcan'],
  youcan: ['add', 'inquiry'],
  why: ['lack', 'fault', 'wrong', 'loss', 'money'],
  not: ['fault'],
  onset: ['not', 'slow'],
}

/** Every feature that a text can have. The order is that of the weights. */
export const FEATURES: readonly string[] = [
  'always',
  ...CONCEPTS.flatMap(concept => [concept, `first_${concept}`, `opens_${concept}`]),
  ...Object.keys(SIGNS),
  ...Object.keys(EVENT_HINTS),
  ...LENGTHS.map(length => `over_${length}_words`),
  ...Object.keys(ANY),
  ...Object.entries(TOGETHER).flatMap(([one, others]) => others.map(other => `${one}_and_${other}`)),
]

/**
 * The names of the features that a text with its event has; each counts once, however often its words come. None at all where nothing
 * is known of it, such as a language without a word list: its length alone must not make it an idea.
 */
export const featuresOf = (text: string, event: string | null): ReadonlySet<string> => {
  const read = text.slice(0, READ_LENGTH).replace(LINK, ' ')
  const words = wordsOf(read)
  const found = new Set(['always'])
  findConcepts(words, (concept, opens, at) => {
    found.add(concept)
    if (at === 0) found.add(`first_${concept}`)
    if (opens) found.add(`opens_${concept}`)
  })
  for (const name of Object.keys(SIGNS)) if (SIGNS[name]?.test(read)) found.add(name)
  if (event !== null) for (const name of Object.keys(EVENT_HINTS)) if (EVENT_HINTS[name]?.test(event)) found.add(name)
  if (words.length === 0 || found.size === 1) return new Set()
  for (const length of LENGTHS) if (words.length > length) found.add(`over_${length}_words`)
  for (const name of Object.keys(ANY)) if (ANY[name]?.some(one => found.has(one))) found.add(name)
  for (const one of Object.keys(TOGETHER)) {
    if (!found.has(one)) continue
    for (const other of TOGETHER[one] ?? []) if (found.has(other)) found.add(`${one}_and_${other}`)
  }
  return found
}
