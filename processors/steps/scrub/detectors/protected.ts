import type { Span } from './detector.ts'
import { occurrences } from './occurrences.ts'

const UUID = /(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])/gi
const DAY_FIRST_DATE = /(?<![\d./-])[0-3]?\d([./-])[01]?\d\1(?:19|20)\d\d(?!\d|\.\d)/g
const YEAR_FIRST_DATE = /(?<![\d./-])(?:19|20)\d\d([./-])[01]\d\1[0-3]\d(?:[T ][0-2]\d:[0-5]\d(?::[0-5]\d)?)?(?!\d)/g
const YEARS = /(?<![\d./-])(?:19|20)\d\d[-/](?:19|20)\d\d(?![\d./-])/g
/** With its prefix, whose hyphens a phone number's may resemble; the words before it protect the others. */
const ISBN = /(?<![\d-])97[89]-\d{1,5}-\d{1,7}-\d{1,7}-\d(?![\d-])/g

const PROTECTED = [UUID, DAY_FIRST_DATE, YEAR_FIRST_DATE, YEARS, ISBN]

/** What has a form of its own and is nobody's number: UUIDs, dates, spans of years and ISBNs. In no order. */
export const protectedSpans = (text: string): Span[] =>
  PROTECTED.flatMap(pattern =>
    Array.from(occurrences(pattern, text), match => ({ start: match.index, end: match.index + match[0].length })),
  )
