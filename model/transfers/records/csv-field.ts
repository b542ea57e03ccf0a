/**
 * What a spreadsheet may take for a formula: one of these signs at the beginning of a cell, behind white space and
 * quotes that it skips. The signs have full-width forms too (https://owasp.org/www-community/attacks/CSV_Injection).
 * Each match is the whole run of white space and quotes before a sign, so that a text is gone over once.
 */
const SIGN_BEHIND_RUN = /(?<![\s'"])([\s'"]*)[=+\-@＝＋－＠]/gu
const FORMULA = /^[\s'"]*[=+\-@＝＋－＠]/u
/** These make a formula of a cell in some programs whatever follows them. */
const LEADING_SPACE = /^'*[\t\r\n]/

/** A program whose delimiter is `;`, `|` or tab sees the beginning of a cell behind it, in a quoted field as well. */
const OTHER_DELIMITER = /[;|]/

const isFormula = (text: string): boolean => FORMULA.test(text) || LEADING_SPACE.test(text)

/** The text with each run before a sign changed: `isBegin` where a cell begins with the run. */
const withRuns = (text: string, change: (run: string, isBegin: boolean) => string): string =>
  text.replace(SIGN_BEHIND_RUN, (whole: string, run: string, at: number) =>
    change(run, at > 0 && OTHER_DELIMITER.test(text[at - 1] ?? '')).concat(whole.slice(run.length)),
  )

/** A text with an apostrophe before whatever a spreadsheet would take for a formula, which makes text of it. */
const escaped = (text: string): string =>
  `${isFormula(text) ? "'" : ''}${withRuns(text, (run, isBegin) => `${isBegin ? "'" : ''}${run.replace(/[\t\r\n]/g, "$&'")}`)}`

/**
 * A text from anywhere as a field of RFC 4180, which no spreadsheet takes for a formula. `textInField` is its inverse:
 * what a text has of apostrophes itself is kept, as a text that begins with apostrophes and a sign gets one more.
 */
export const csvField = (text: string): string => {
  const harmless = escaped(text)
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * The text that `csvField` made this of, without quotes. What `csvField` cannot have written, such as most of what
 * other programs write, is a text as it stands.
 */
export const textInField = (field: string): string => {
  if (!field.includes("'")) return field
  const first = field.startsWith("'") && isFormula(field) ? field.slice(1) : field
  const text = withRuns(first, (run, isBegin) =>
    (isBegin && run.startsWith("'") ? run.slice(1) : run).replace(/([\t\r\n])'/g, '$1'),
  )
  return escaped(text) === field ? text : field
}
