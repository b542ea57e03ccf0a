import { attributionLength } from './attribution.ts'
import { readHeaderBlock } from './header-block.ts'
import { isBlank, isQuoted, joinLines, unquote } from './lines.ts'
import { isOriginalSeparator, isRule } from './separator.ts'
import { withoutSignature } from './signature.ts'

/** A mail's text apart: what its author wrote this time, and what it quotes of the thread. */
export interface Thread {
  readonly newest: string
  readonly quoted: string
}

/**
 * Parts a text where mail programs do: lines marked with `>` are quoted wherever they stand, with the line above them that says whose
 * they are; behind Outlook's headers, or a line that announces the original mail, everything is. A text that is nothing but quotes is
 * its author's all the same: somebody sent it.
 */
export const readThread = (text: string): Thread => {
  const lines = text.split('\n')
  const newest: string[] = []
  const quoted: string[] = []
  let index = 0
  while (index < lines.length) {
    const line = lines[index] ?? ''
    if (isRestQuoted(lines, index)) {
      quoted.push(...lines.slice(index))
      dropRules(newest)
      break
    }
    const attribution = isQuoted(line) ? 0 : attributionLength(lines, index)
    if (attribution > 0) {
      const next = index + attribution
      if (!isFollowedByQuote(lines, next)) {
        // Some programs quote without marks: whose lines are whose cannot be told from here on.
        quoted.push(...lines.slice(index))
        break
      }
      quoted.push(...lines.slice(index, next))
      index = next
    } else {
      if (isQuoted(line)) quoted.push(line)
      else newest.push(line)
      index++
    }
  }
  const own = withoutSignature(joinLines(newest))
  if (own === '') return { newest: joinLines(lines.map(unquote)), quoted: '' }
  return { newest: own, quoted: joinLines(quoted.map(unquote)) }
}

const isRestQuoted = (lines: readonly string[], index: number): boolean => {
  const line = lines[index] ?? ''
  if (isQuoted(line)) return false
  if (isOriginalSeparator(line)) return true
  const start = isRule(line) ? index + 1 : index
  return readHeaderBlock(lines, start) !== null
}

/** A program's rule above what it quotes. */
const dropRules = (lines: string[]) => {
  while (lines.length > 0 && (isRule(lines.at(-1) ?? '') || isBlank(lines.at(-1) ?? ''))) lines.pop()
}

const isFollowedByQuote = (lines: readonly string[], start: number): boolean => {
  const next = lines.slice(start, start + 3).find(line => !isBlank(line))
  return next !== undefined && isQuoted(next)
}
