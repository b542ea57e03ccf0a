/** Maximum of parts of a mail. */
export const MAX_PARTS = 200

/** A parameter on a line of its own without indent: a program forgot the blank before it. */
const UNINDENTED = /^(?:boundary|charset|name|filename|format|delsp|protocol|report-type)[\d*]{0,4}=/im
const HAS_PARAMETERS = /^(?:content-(?:type|disposition):|[ \t]{1,9}[\w*-]{1,20}=)/i

const BOUNDARY = /boundary\s{0,9}=\s{0,9}(?:"([^"\r\n]{1,70})"|([^"\s;]{1,70}))/gi
/** RFC 2046 allows blanks behind a delimiter. */
const PADDED = /^--[^\r\n]{1,60}[ \t]\r?$/m

/**
 * Repairs what the parser does not accept: parameters without an indent, blanks behind a delimiter, inner parts without
 * an end.
 */
export const mended = (mail: Buffer): Buffer => {
  const text = mail.toString('latin1')
  const isPadded = PADDED.test(text)
  const isUnindented = UNINDENTED.test(text)
  const boundaries = new Set<string>()
  for (const [, quoted, plain = ''] of text.matchAll(BOUNDARY)) boundaries.add(quoted ?? plain)
  const isNested = boundaries.size > 1 && boundaries.size <= MAX_PARTS
  if (!isUnindented && !isPadded && !isNested) return mail
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1] ?? ''
    if (isPadded && line.startsWith('--') && boundaryIn(line, boundaries) !== null) lines[index] = `${line.trimEnd()}\r`
    if (!isUnindented || !UNINDENTED.test(line) || !HAS_PARAMETERS.test(above)) continue
    lines[index - 1] = /;\s?$/.test(above) ? above : `${above.trimEnd()};`
    lines[index] = ` ${line}`
  }
  if (isNested) closeInnerParts(lines, boundaries)
  return Buffer.from(lines.join('\n'), 'latin1')
}

/** The boundary of a delimiter line, and whether it is the final one; null for other lines. */
const boundaryIn = (line: string, boundaries: ReadonlySet<string>) => {
  const said = line.slice(2).trimEnd()
  if (boundaries.has(said)) return { boundary: said, isLast: false }
  const boundary = said.slice(0, -2)
  return said.endsWith('--') && boundaries.has(boundary) ? { boundary, isLast: true } : null
}

/** An outer part's delimiter ends all inner parts, even without their own end (RFC 2046). */
const closeInnerParts = (lines: string[], boundaries: ReadonlySet<string>): void => {
  const open: string[] = []
  for (const [index, line] of lines.entries()) {
    const found = line.startsWith('--') ? boundaryIn(line, boundaries) : null
    if (found === null) continue
    const place = open.lastIndexOf(found.boundary)
    if (place === -1) {
      if (!found.isLast) open.push(found.boundary)
      continue
    }
    const unclosed = open.splice(found.isLast ? place : place + 1).slice(found.isLast ? 1 : 0)
    const ends = unclosed.toReversed().map(boundary => `--${boundary}--\r\n`)
    lines[index] = `${ends.join('')}${line}`
  }
}
