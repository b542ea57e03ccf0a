import { visibleText } from '../../../../schemas/domain/visible-text.ts'
import { readText } from './charset.ts'
import { createHtmlReader } from './visible-html.ts'

/** A node of the parser's tree. */
export interface Part {
  readonly contentType: string | false
  /** The text of a text leaf. */
  readonly textContent?: string
  readonly children: readonly Part[]
  /** The text above the first delimiter, for a multipart node without delimiters. */
  readonly undivided?: Buffer[]
}

interface PartText {
  readonly text: string
  readonly isHtml: boolean
}

interface TreeText {
  readonly text: string
  /** True when some HTML exceeded the limits. */
  readonly shortened: boolean
}

/** The text of all text parts in order; of alternatives with the same content, one. */
export const textOfTree = (root: Part): TreeText => {
  const html = createHtmlReader()
  const read = (part: Part): PartText => {
    const { contentType, children } = part
    const own = ownText(part)
    if (children.length === 0) return own
    const texts = children.map(read)
    if (contentType === 'multipart/alternative') return better(inForm(texts, false), inForm(texts, true))
    return joined([own, ...texts])
  }
  const ownText = ({ contentType, children, textContent = '', undivided = [] }: Part): PartText => {
    if (undivided.length > 0 && children.length === 0)
      return { text: clean(readText(Buffer.concat(undivided), '', false)), isHtml: false }
    if (contentType === 'text/html') return { text: clean(html.read(textContent)), isHtml: true }
    return { text: clean(textContent), isHtml: false }
  }
  const { text } = read(root)
  return { text, shortened: html.shortened() }
}

/** Removes soft hyphens, which programs insert. */
const clean = (text: string): string =>
  visibleText(text).replace(/\r\n?/g, '\n').replaceAll('\u00ad', '').replaceAll('\u00a0', ' ')

const visible = ({ text }: PartText): number => text.replace(/\s+/g, '').length

const joined = (texts: readonly PartText[]): PartText => {
  const some = texts.filter(({ text }) => text.trim() !== '')
  return { text: some.map(({ text }) => text).join('\n'), isHtml: some.some(({ isHtml }) => isHtml) }
}

const wordsIn = ({ text }: PartText): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The texts of one form, plain or HTML. A text that mostly repeats longer ones is left out. */
const inForm = (texts: readonly PartText[], isHtml: boolean): PartText => {
  const ofForm = texts.filter(text => text.isHtml === isHtml)
  const known = new Set<string>()
  const taken = new Set<PartText>()
  for (const text of ofForm.toSorted((one, other) => visible(other) - visible(one))) {
    const words = wordsIn(text)
    const unknown = words.filter(word => !known.has(word))
    if (taken.size === 0 || 2 * unknown.length > words.length) taken.add(text)
    for (const word of unknown) known.add(word)
  }
  return { ...joined(ofForm.filter(text => taken.has(text))), isHtml }
}

/**
 * The plain text, unless most of the text is in the HTML alone: some programs write only HTML and a note about it in
 * the plain part.
 */
const better = (plain: PartText, html: PartText): PartText => (2 * visible(plain) >= visible(html) ? plain : html)
