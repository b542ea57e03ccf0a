import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lengthOf } from './layers.ts'
import { readTable } from './table.ts'

const DIGITS = 4

/** What all feedback has in common is taken off its vectors: the mean of what texts mean, each at length 1. */
export const meanOf = (texts: readonly string[]): readonly number[] => {
  const meanings = texts.map(text => readTable().meaningOf(text) ?? new Float64Array())
  const mean = new Float64Array(meanings[0]?.length ?? 0)
  for (const meaning of meanings) {
    const length = lengthOf(meaning)
    for (const [at, value] of meaning.entries()) mean[at] = (mean[at] ?? 0) + value / length / texts.length
  }
  return Array.from(mean, value => Number(value.toFixed(DIGITS)) + 0)
}

export const textsIn = (file: string | URL): readonly string[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): string => JSON.parse(line).text)

// Run as a program, `mean.ts <file>` makes `../known/built-in.json` anew of the texts of a file of JSON lines.
const [, program, file] = process.argv
if (program === fileURLToPath(import.meta.url) && file !== undefined) {
  const mean = JSON.stringify({ mean: meanOf(textsIn(file)) })
  writeFileSync(new URL('../known/built-in.json', import.meta.url), `${mean}\n`)
}
