import type { Classification } from '../../../schemas/domain/vocabulary.ts'
import type { Label } from './rules/word-rule.ts'
import { EVENT_RULES, LEAST_CONFIDENCE, LEAST_SCORE, QUESTION_MARK, WORD_RULES } from './rules.ts'

/** Where a report says what it is about; what follows is mostly quoted detail. */
const READ_LENGTH = 2_000
/** Doubt that stays whatever was found: the more speaks for a label, the less it matters. */
const DOUBT = 0.75

interface Scored {
  readonly label: Classification
  readonly confidence: number
}

const escaped = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Scripts without spaces have no start of a word to match at. */
const start = (words: string): string =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(words) ? '' : '(?<![\\p{L}\\p{N}])'

const RULES = WORD_RULES.map(({ label, weight, words }) => ({
  label,
  weight,
  pattern: new RegExp(words.map(each => start(each) + escaped(each)).join('|'), 'u'),
}))

/** Scores a text by the rules; each rule counts once, however often its words come. */
export const score = (text: string, event: string | null): Scored => {
  const read = text.slice(0, READ_LENGTH).toLowerCase().replaceAll('’', "'")
  const scores: Record<Label, number> = { problem: 0, idea: 0, question: 0 }
  for (const { label, weight, pattern } of RULES) if (pattern.test(read)) scores[label] += weight
  for (const { label, weight, pattern } of EVENT_RULES)
    if (event !== null && pattern.test(event)) scores[label] += weight
  if (QUESTION_MARK.pattern.test(read)) scores.question += QUESTION_MARK.weight
  return decide(scores)
}

const decide = (scores: Readonly<Record<Label, number>>): Scored => {
  const total = scores.problem + scores.idea + scores.question
  let best: Label = 'problem'
  if (scores.idea > scores[best]) best = 'idea'
  if (scores.question > scores[best]) best = 'question'
  const confidence = scores[best] / (total + DOUBT)
  return scores[best] >= LEAST_SCORE && confidence >= LEAST_CONFIDENCE
    ? { label: best, confidence }
    : { label: 'unclassified', confidence: 1 - confidence }
}
