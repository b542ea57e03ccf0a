import { visibleText } from '../../../../schemas/domain/visible-text.ts'
import { readText } from './charset.ts'
import { createHtmlReader } from './visible-html.ts'

/** A node of a mail's tree, as the parser builds it. */
export interface Part {
  readonly contentType: string | false
  /** The text, of a leaf that is one. */
  readonly textContent?: string
  readonly children: readonly Part[]
  /** What stands above the first delimiter, of a node that has no children: the delimiters are not there at all. */
  readonly undivided?: Buffer[]
}

interface PartText {
  readonly text: string
  readonly isHtml: boolean
}

/** A mail's text. */
interface TreeText {
  readonly text: string
  /** True when some HTML was too much to read. */
  readonly shortened: boolean
}

/** The text of all parts that are texts, in their order; of those that say the same in several forms, one. */
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

/** Without soft hyphens, which programs put between what somebody wrote. */
const clean = (text: string): string =>
  visibleText(text).replace(/\r\n?/g, '\n').replaceAll('\u00ad', '').replaceAll('\u00a0', ' ')

const visible = ({ text }: PartText): number => text.replace(/\s+/g, '').length

const joined = (texts: readonly PartText[]): PartText => {
  const some = texts.filter(({ text }) => text.trim() !== '')
  return { text: some.map(({ text }) => text).join('\n'), isHtml: some.some(({ isHtml }) => isHtml) }
}

const wordsIn = ({ text }: PartText): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** What is said in plain text, or in HTML: what says the same as a longer one is left out. */
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
 * As the mail brings it, unless most of it is in the HTML alone, as when a program that writes only HTML says so in the
 * plain part.
 */
const better = (plain: PartText, html: PartText): PartText => (2 * visible(plain) >= visible(html) ? plain : html)
