import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Classification } from '../../../schemas/domain/vocabulary.ts'

/** A text of the labelled set (`labelled/GUIDE.md`). Each language has a file. */
export interface Labelled {
  readonly label: Classification
  /** Origin or speciality of the text. */
  readonly style: string
  readonly event?: string
  readonly text: string
  /** Name of the file, after its language or its speciality. */
  readonly file: string
}

const FOLDER = new URL('./labelled/', import.meta.url)

const read = (file: string): readonly Labelled[] =>
  readFileSync(new URL(file, FOLDER), 'utf8')
    .trimEnd()
    .split('\n')
    // The files are written by hand in this shape.
    .map(line => ({ ...(JSON.parse(line) as Omit<Labelled, 'file'>), file: file.replace('.jsonl', '') }))

/** Texts that were known or written after the split are for tuning alone. */
const isKnown = (file: string): boolean => file.startsWith('tuning-')

const FILES = readdirSync(FOLDER)
  .filter(file => file.endsWith('.jsonl'))
  .toSorted()

/**
 * A third of the texts, chosen by their hash before the tuning. Nothing is made from them or changed because of them.
 */
const isHeldOut = ({ text }: Labelled): boolean => (createHash('sha256').update(text).digest()[0] ?? 0) % 3 === 0

const SPLIT = FILES.filter(file => !isKnown(file)).flatMap(read)

export const HELD_OUT: readonly Labelled[] = SPLIT.filter(isHeldOut)
export const TUNING: readonly Labelled[] = [
  ...SPLIT.filter(item => !isHeldOut(item)),
  ...FILES.filter(isKnown).flatMap(read),
]
