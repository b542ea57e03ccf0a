import { FORMS, type Form, kindNamed } from './forms.ts'

/**
 * Characters that are looked at, and characters of the writer's own words that are read: the rest is mostly quoted
 * detail.
 */
const LOOKED_AT = 4_000
const READ_LENGTH = 2_000
/** A longer first line is a paragraph. */
const MAX_TITLE_LENGTH = 160
/** Most words of a label such as "Steps to reproduce:". A longer line is a sentence. */
const MAX_LABEL_WORDS = 7

/** Signs in the form of a text, independent of its words. */
type Sign = Form | 'code_block' | 'quote' | 'log' | 'template' | 'task_list'

export interface Parts {
  /** The first line without the prefix that names a kind. Empty when nothing follows it. */
  readonly title: string
  /** The writer's own words, without code, logs, quotes, headings of a template and their questions. */
  readonly body: string
  readonly signs: ReadonlySet<Sign>
}

/** The parts of a URL say nothing about the text. */
const LINK = /\bhttps?:\/\/\S+/g
const COMMENT_START = '<!--'
const COMMENT_END = '-->'
/** An element of HTML, such as the `<b>` of "Type: <b>Bug</b>". */
const ELEMENT = /<\/?[a-z][^<>\n]{0,200}>/gi
/** Beginning and end of code, in Markdown and in Jira's markup. */
const FENCE = /^\s{0,6}(?:```|~~~|\{(?:code|noformat)\b[^}\n]{0,40}\})/
const FENCED_ALONE = /^\s{0,6}(?:```[^`]+```|\{(code|noformat)\b[^}\n]{0,40}\}.*\{\1\})/
const QUOTED = /^\s{0,6}(?:>|&gt;|bq\.\s)/
const LOG_LINE =
  /^\s*(?:at \S+[.(]|File "|Traceback \(|Caused by:|#\d+ 0x|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:ERROR|WARN|INFO|DEBUG|FATAL)\b)|^\s*[{[]"/
const TICKED = /^\s*(?:[-*+]\s+)?\[\s?[xX✓]\s?\](.*)$/
const UNTICKED = /^\s*(?:[-*+]\s+)?\[\s*\](?!\()/
const HEADING = /^\s{0,3}(?:#{1,6}|h[1-6]\.)\s(.*)$/
const BOLD = /^\s*(?:\d\.\s*)?\*\*([^*\n]{2,160})\*\*(.*)$/
/** A heading that asks. Among several headings it is a form's question: "What is expected?" */
const ASKING_HEADING = /^(?:\s{0,3}(?:#{1,6}|h[1-6]\.)\s|\s*(?:\d\.\s*)?\*\*).{1,160}[?？؟][\s*:：]*$/
const FORM_HEADINGS = 2
const LABEL = /^\s*(?:[-*+]\s+)?([^\s:：][^:：\n]{1,60})[:：](?:\s(.*)|)$/

/** Splits a text by its form, in linear time. Looks at the first 4,000 characters. */
export const partsOf = (text: string): Parts => {
  const signs = new Set<Sign>()
  const lines = withoutComments(text.slice(0, LOOKED_AT), signs).replace(ELEMENT, ' ').replace(LINK, ' ').split('\n')
  const { title, rest } = takeTitle(lines, signs)
  const own: string[] = []
  const all: string[] = []
  const isForm = lines.filter(line => HEADING.test(line) || BOLD.test(line)).length >= FORM_HEADINGS
  let isCode = false
  let asksForKind = false
  for (const line of lines.slice(rest)) {
    if (line.trim() === '') continue
    all.push(line)
    if (FENCE.test(line)) {
      if (!FENCED_ALONE.test(line)) isCode = !isCode
      signs.add('code_block')
    } else if (!isCode) {
      const said = readLine(line, signs, asksForKind)
      asksForKind = said === ASKS_FOR_KIND
      if (said !== null && said !== '' && !asksForKind && !(isForm && ASKING_HEADING.test(line))) own.push(said)
    }
  }
  const body = own.join('\n').slice(0, READ_LENGTH)
  // The writer sent nothing but code, a log or a quote, so these are the writer's words.
  return { title, signs, body: body.trim() === '' && title === '' ? all.join('\n').slice(0, READ_LENGTH) : body }
}

/** Marks a line whose kind is on the next line. */
const ASKS_FOR_KIND = '\0'

/** The writer's own words of a line; null without any. */
const readLine = (line: string, signs: Set<Sign>, namesKind: boolean): string | null => {
  if (QUOTED.test(line)) return noted(signs, 'quote')
  if (LOG_LINE.test(line)) return noted(signs, 'log')
  if (UNTICKED.test(line)) return noted(signs, 'task_list')
  const ticked = TICKED.exec(line)?.[1]?.trim()
  if (ticked !== undefined) {
    const kind = kindNamed(ticked)
    return noted(signs, kind === null ? 'task_list' : `declared_${kind}`)
  }
  if (namesKind) {
    const kind = kindNamed(line)
    if (kind !== null) return noted(signs, `declared_${kind}`)
  }
  const heading = HEADING.exec(line)?.[1]?.trimStart()
  if (heading !== undefined) return readLabel(heading, '', signs) ?? heading
  const [, bold, behind] = BOLD.exec(line) ?? []
  if (bold !== undefined) return readLabel(bold, (behind ?? '').replace(/^\s*:?/, ''), signs) ?? line
  const [, label, value] = LABEL.exec(line) ?? []
  if (label === undefined || label.trim().split(/\s+/u).length > MAX_LABEL_WORDS) return line
  return readLabel(label, value?.trimStart() ?? '', signs) ?? line
}

const noted = (signs: Set<Sign>, sign: Sign): null => {
  signs.add(sign)
  return null
}

/** The value behind a form's label; undefined when the label belongs to no form. */
const readLabel = (label: string, value: string, signs: Set<Sign>): string | undefined => {
  const forms = FORMS.filter(({ pattern }) => pattern.test(label)).map(({ form }) => form)
  if (forms.length === 0) return undefined
  if (forms.includes('kind')) {
    if (value.trim() === '') return ASKS_FOR_KIND
    const kind = kindNamed(value)
    if (kind === null) return value
    signs.add(`declared_${kind}`)
    return ''
  }
  for (const form of forms) if (form !== 'kind') signs.add(form)
  // Names of systems and version numbers say nothing.
  return forms.includes('form_environment') ? '' : value
}

const withoutComments = (text: string, signs: Set<Sign>): string => {
  if (!text.includes(COMMENT_START)) return text
  signs.add('template')
  return text
    .split(COMMENT_START)
    .map((part, at) => {
      if (at === 0) return part
      const end = part.indexOf(COMMENT_END)
      return end === -1 ? '' : part.slice(end + COMMENT_END.length)
    })
    .join(' ')
}

/** Prefixes of a title: "[Bug] …", "feat: …", "Feature request - …". */
const BRACKETED = /^\s*[[(【<]\s*([^\])】>\n]{1,40})[\])】>]\s*[:：-]?\s*/
const PREFIXED = /^\s*([^:：\n]{1,40})[:：]\s*/
const ANSWERED = /^\s*(?:re|fwd?|aw|wg|tr|sv|vs|rv|antw)\s*:\s*/i

const takeTitle = (lines: readonly string[], signs: Set<Sign>): { readonly title: string; readonly rest: number } => {
  const first = lines.findIndex(line => line.trim() !== '')
  const line = (lines[first] ?? '').replace(ANSWERED, '').replace(/^\s*#{1,6}\s+/, '')
  const hasMore = lines.slice(first + 1).some(other => other.trim() !== '')
  if (first === -1) return { title: '', rest: 0 }
  const prefix = BRACKETED.exec(line) ?? PREFIXED.exec(line)
  const kind = prefix === null ? null : kindNamed(prefix[1] ?? '')
  if (prefix !== null && kind !== null) signs.add(`prefix_${kind}`)
  if (line.trim().length > MAX_TITLE_LENGTH || (!hasMore && kind === null)) return { title: '', rest: first }
  return { title: kind === null ? line.trim() : line.slice(prefix?.[0].length ?? 0).trim(), rest: first + 1 }
}
