import { normalizeAddress, textHash } from '../../../model/signals/normalize.ts'
import type { Content, Scrubbed } from '../../../schemas/events/signal.ts'
import { next, type StepDefinition, type WithParts } from '../../framework/step.ts'
import type { PersonalDataKind } from './detectors/detector.ts'
import { type NumberingPlans, numberingPlans } from './detectors/numbering-plans.ts'
import { placeholder, type Replaced, redact } from './redact.ts'

const VERSION = '7'
const EMAIL = placeholder('EMAIL')

export interface ScrubDependencies {
  /** Keyed HMAC of a normalized address: equal for the same person, without showing the address. */
  readonly actorKey: (address: string) => string
}

/** Replaces personal data by typed placeholders in the whole content. Names stay. */
export const createScrub = (
  dependencies: ScrubDependencies,
): StepDefinition<WithParts<'content'>, { readonly content: Content; readonly scrubbed: Scrubbed }> => ({
  name: 'scrub',
  summary:
    'Replaces e-mail addresses, phone numbers, national IDs, card numbers, IBANs, crypto addresses and IP addresses by placeholders.',
  guarantee: 'A function of the record and the installation’s key; scrubbing again changes nothing.',
  version: VERSION,
  isPerSignal: true,
  run: async batch =>
    batch.map(({ content }) => {
      const replaced: Replaced = new Map()
      const clean = scrubContent(content, replaced, dependencies)
      return next({ content: clean, scrubbed: { version: VERSION, replaced: Object.fromEntries(replaced) } })
    }),
})

/** The content without personal data. Adds the replacements to `replaced`. */
export const scrubContent = (content: Content, replaced: Replaced, { actorKey }: ScrubDependencies): Content => {
  const plans = numberingPlans()
  const clean = (value: string | null) => (value === null ? null : redact(value, replaced, plans))
  const text = redact(content.text, replaced, plans)
  const isNamed = content.actor_email !== null && content.actor_email !== EMAIL
  if (isNamed) replaced.set('EMAIL', (replaced.get('EMAIL') ?? 0) + 1)
  return {
    ...content,
    text,
    text_hash: textHash(text),
    event: clean(content.event),
    source: clean(content.source),
    source_url: clean(content.source_url),
    actor_name: clean(content.actor_name),
    actor_email: isNamed ? EMAIL : content.actor_email,
    actor_key: isNamed ? actorKey(normalizeAddress(content.actor_email)) : content.actor_key,
    metadata: JSON.stringify(redactJson(JSON.parse(content.metadata), replaced, plans)),
    cut_signature: clean(content.cut_signature),
    cut_quoted: clean(content.cut_quoted),
    cut_footer: clean(content.cut_footer),
  }
}

/**
 * A JSON value without personal data in its keys, strings and numbers. A key introduces its value as a word does in a
 * text, so `{"ssn": "…"}` is understood, also with the key around it: `{"phone": {"number": "…"}}`. A personal number
 * becomes its placeholder.
 */
export const redactJson = (value: unknown, replaced: Replaced, plans = numberingPlans(), key = ''): unknown => {
  if (typeof value === 'string') return redactValue(value, replaced, plans, key)
  if (typeof value === 'number') {
    const written = String(value)
    const redacted = redactValue(written, replaced, plans, key)
    if (redacted !== written) return redacted
    return isRoundedCard(value, key) ? counted('CARD', replaced) : value
  }
  if (Array.isArray(value)) return value.map(inner => redactJson(inner, replaced, plans, key))
  if (typeof value !== 'object' || value === null) return value
  const distinct = distinctNames()
  const label = labelIn(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const clean = distinct(redact(name, replaced, plans))
      const introduction =
        label !== null && VALUE_NAMES.test(name) ? introductionOf(key, label, label) : introductionOf(key, name, clean)
      return [clean, redactJson(inner, replaced, plans, introduction)]
    }),
  )
}

/** Names of value fields in forms and help desks: `{"label": "Phone", "value": "…"}`. */
const VALUE_NAMES = /^(?:value|values|answer|text|content|number|response)$/i
/** Names of label fields, the most telling first. */
const LABEL_NAMES = ['label', 'title', 'question', 'caption', 'field', 'field_name', 'fieldName', 'key', 'name', 'type']
const LABEL = /^(?!(?:text|string|number|integer)$)[^\d\n@[\]]{1,40}$/i

const labelIn = (fields: object): string | null => {
  const given = new Map<string, unknown>(Object.entries(fields))
  if (![...given.keys()].some(name => VALUE_NAMES.test(name))) return null
  for (const name of LABEL_NAMES) {
    const label = given.get(name)
    if (typeof label === 'string' && LABEL.test(label)) return label.replace(/[\s:*]{1,40}$/, '')
  }
  return null
}

/**
 * A card number of 17 digits and more is rounded as a JSON number, so its checksum fails. The rest still shows most of
 * the number.
 */
const isRoundedCard = (value: number, key: string): boolean =>
  !Number.isSafeInteger(value) && value >= 1e16 && value < 1e19 && CARD_NAME.test(key)
const CARD_NAME = /(?<!\p{L})(?:(?:credit[ _-]?)?card(?:[ _-]?(?:number|no|num|nr))?|pan|ccn?)$/iu

const counted = (kind: PersonalDataKind, replaced: Replaced): string => {
  replaced.set(kind, (replaced.get(kind) ?? 0) + 1)
  return placeholder(kind)
}

const LONGEST_NAME = 24

/** Words of the last two names on the path to a value. A personal name introduces nothing. */
const introductionOf = (parent: string, name: string, clean: string): string => {
  if (name !== clean) return ''
  const around = parent.split(' ').slice(-3).join(' ')
  const words = name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').slice(-LONGEST_NAME)
  return around === '' ? words : `${around.slice(-LONGEST_NAME)} ${words}`
}

const redactValue = (value: string, replaced: Replaced, plans: NumberingPlans, key: string): string => {
  if (key === '') return redact(value, replaced, plans)
  const introduction = `${key}: `
  const counted: Replaced = new Map()
  const together = redact(introduction + value, counted, plans)
  if (!together.startsWith(introduction)) return redact(value, replaced, plans)
  for (const [kind, count] of counted) replaced.set(kind, (replaced.get(kind) ?? 0) + count)
  return together.slice(introduction.length)
}

/** Keys that were different addresses stay different: `[EMAIL]`, `[EMAIL] 2`. Each name continues its own count. */
const distinctNames = (): ((name: string) => string) => {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return name => {
    let count = counts.get(name) ?? 1
    let free = count === 1 ? name : `${name} ${count}`
    for (; taken.has(free); free = `${name} ${count}`) count += 1
    counts.set(name, count)
    taken.add(free)
    return free
  }
}
