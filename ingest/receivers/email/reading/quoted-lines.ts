/** Prefixed to each line that a program marks as a signature. Unicode reserves the character: no text has it. */
export const SIGNATURE_MARK = '\ufdd0'
/** Prefixed to each line that is indented as quotes are, without being marked as a quote. */
export const INDENT_MARK = '\ufdd1'
export const MARKS = /[\ufdd0\ufdd1]/g

/** The text of a quoted line, whatever its depth; other lines unchanged. */
export const unquote = (line: string): string => line.replace(MARKS, '').replace(/^(?:[^\S\n]?>)+[^\S\n]?/, '')

export const isQuoted = (line: string): boolean => /^[\ufdd0\ufdd1]{0,2}[^\S\n]?>/.test(line)

export const isIndented = (line: string): boolean => line.startsWith(INDENT_MARK)

export const isBlank = (line: string): boolean => line.replace(MARKS, '').trim() === ''

/** Joins lines without surrounding blank lines, repeated blank lines, and trailing blanks. */
export const joinLines = (lines: readonly string[]): string =>
  lines
    .map(line => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
