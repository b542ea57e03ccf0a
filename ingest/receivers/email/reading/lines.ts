/** What is on a quoted line, whatever its depth; other lines as they are. */
export const unquote = (line: string): string => line.replace(/^(?:[^\S\n]?>)+[^\S\n]?/, '')

export const isQuoted = (line: string): boolean => /^[^\S\n]?>/.test(line)

export const isBlank = (line: string): boolean => line.trim() === ''

/** Lines as a text: no blank ones around it, never more than one in a row, nothing behind a line. */
export const joinLines = (lines: readonly string[]): string =>
  lines
    .map(line => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
