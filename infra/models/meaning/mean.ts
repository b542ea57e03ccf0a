import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lengthOf } from '../../vectors.ts'
import { encode } from './encoder.ts'
import { MEANING_NUMBERS, readTable } from './table.ts'

const DIGITS = 4

/**
 * The mean of the texts' meanings, each normalized: what all feedback has in common, and is subtracted from vectors.
 */
export const meanOf = async (texts: readonly string[]): Promise<readonly number[]> => {
  const mean = new Float64Array(MEANING_NUMBERS)
  for (const text of texts) {
    const rows = readTable().rowsOf(text)
    if (rows === null) continue
    const meaning = await encode(rows)
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

// As a program, `mean.ts <file>` writes `../known/built-in.json` from the texts of a JSON lines file.
const [, program, file] = process.argv
if (program === fileURLToPath(import.meta.url) && file !== undefined) {
  const mean = JSON.stringify({ mean: await meanOf(textsIn(file)) })
  writeFileSync(new URL('../known/built-in.json', import.meta.url), `${mean}\n`)
}
