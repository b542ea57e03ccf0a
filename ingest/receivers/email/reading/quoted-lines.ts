/** Stands before each line that a program marks as a signature. Unicode keeps it for programs: no text has it. */
export const SIGNATURE_MARK = '\ufdd0'
/** Stands before each line that is indented as quotes are, and that no program says to be one. */
export const INDENT_MARK = '\ufdd1'
export const MARKS = /[\ufdd0\ufdd1]/g

/** What is on a quoted line, whatever its depth; other lines as they are. */
export const unquote = (line: string): string => line.replace(MARKS, '').replace(/^(?:[^\S\n]?>)+[^\S\n]?/, '')

export const isQuoted = (line: string): boolean => /^[\ufdd0\ufdd1]{0,2}[^\S\n]?>/.test(line)

export const isIndented = (line: string): boolean => line.startsWith(INDENT_MARK)

export const isBlank = (line: string): boolean => line.replace(MARKS, '').trim() === ''

/** Lines as a text: no blank ones around it, never more than one in a row, nothing behind a line. */
export const joinLines = (lines: readonly string[]): string =>
  lines
    .map(line => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
