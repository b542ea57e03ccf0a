import { CHINESE_JAPANESE_AND_RUSSIAN } from './rules/chinese-japanese-russian.ts'
import { DUTCH_AND_POLISH } from './rules/dutch-polish.ts'
import { ENGLISH } from './rules/english.ts'
import { FRENCH } from './rules/french.ts'
import { GERMAN } from './rules/german.ts'
import { PORTUGUESE_AND_ITALIAN } from './rules/portuguese-italian.ts'
import { SPANISH } from './rules/spanish.ts'
import type { Label, WordRule } from './rules/word-rule.ts'

export const WORD_RULES: readonly WordRule[] = [
  ...ENGLISH,
  ...GERMAN,
  ...FRENCH,
  ...SPANISH,
  ...PORTUGUESE_AND_ITALIAN,
  ...DUTCH_AND_POLISH,
  ...CHINESE_JAPANESE_AND_RUSSIAN,
]

/** What a sender's `event` hints at. The words of the text weigh against it. */
export const EVENT_RULES: readonly { readonly label: Label; readonly weight: number; readonly pattern: RegExp }[] = [
  {
    label: 'problem',
    weight: 2,
    pattern: /bug|error|incident|complaint|crash|fail|outage|churn|cancel|problem|alert/i,
  },
  { label: 'idea', weight: 2, pattern: /feature|idea|suggest|wish|improvement/i },
  { label: 'question', weight: 2, pattern: /question|how.?to|inquiry|enquiry/i },
]

/** A question mark that ends a sentence, in any script; the one in a link ends none. */
export const QUESTION_MARK = { weight: 1.5, pattern: /[?؟]["'”»)\]]*(?:\s|$)|？/u } as const

/** A label needs at least this much to speak for it, and this share of all that speaks for any. */
export const LEAST_SCORE = 1
export const LEAST_CONFIDENCE = 0.5
