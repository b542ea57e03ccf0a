/**
 * Text that a spreadsheet may take for a formula: one of these signs at the beginning of a cell, behind white space and
 * quotes that the spreadsheet skips. The signs also have full-width forms
 * (https://owasp.org/www-community/attacks/CSV_Injection). Each match is the whole run of white space and quotes before
 * a sign, so that a text is read once.
 */
const SIGN_BEHIND_RUN = /(?<![\s'"])([\s'"]*)[=+\-@＝＋－＠]/gu
const FORMULA = /^[\s'"]*[=+\-@＝＋－＠]/u
/** In some programs these make a formula of any cell. */
const LEADING_SPACE = /^'*[\t\r\n]/

/** Programs with another delimiter see a cell begin behind `;`, `|` or tab, also inside of a quoted field. */
const OTHER_DELIMITER = /[;|]/

const isFormula = (text: string): boolean => FORMULA.test(text) || LEADING_SPACE.test(text)

/** The text with each run before a sign changed. `isBegin` is true when a cell begins with the run. */
const withRuns = (text: string, change: (run: string, isBegin: boolean) => string): string =>
  text.replace(SIGN_BEHIND_RUN, (whole: string, run: string, at: number) =>
    change(run, at > 0 && OTHER_DELIMITER.test(text[at - 1] ?? '')).concat(whole.slice(run.length)),
  )

/** A text with an apostrophe before everything that a spreadsheet would take for a formula, which makes it text. */
const escaped = (text: string): string =>
  `${isFormula(text) ? "'" : ''}${withRuns(text, (run, isBegin) => `${isBegin ? "'" : ''}${run.replace(/[\t\r\n]/g, "$&'")}`)}`

/**
 * Any text as a field of RFC 4180 that no spreadsheet takes for a formula. `textInField` is the inverse: own
 * apostrophes stay, because a text that begins with apostrophes and a sign gets one more.
 */
export const csvField = (text: string): string => {
  const harmless = escaped(text)
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * The text of a field of `csvField`, without quotes. A field that `csvField` cannot have written, as most fields of
 * other programs, is the text itself.
 */
export const textInField = (field: string): string => {
  if (!field.includes("'")) return field
  const first = field.startsWith("'") && isFormula(field) ? field.slice(1) : field
  const text = withRuns(first, (run, isBegin) =>
    (isBegin && run.startsWith("'") ? run.slice(1) : run).replace(/([\t\r\n])'/g, '$1'),
  )
  return escaped(text) === field ? text : field
}
