import { normalizeAddress, textHash } from '../../../model/signals/normalize.ts'
import type { Content, Scrubbed } from '../../../schemas/events/signal.ts'
import { next } from '../../framework/results.ts'
import type { StepDefinition, WithParts } from '../../framework/step.ts'
import { numberingPlans } from './detectors/numbering-plans.ts'
import { placeholder, type Replaced, redact } from './redact.ts'
import { redactJson } from './redact-json.ts'

const VERSION = '4'
const EMAIL = placeholder('EMAIL')

export interface ScrubDependencies {
  /** Keyed HMAC of a normalized address: the same person is the same key, and the key tells nobody the address. */
  readonly actorKey: (address: string) => string
}

/** Replaces personal data by typed placeholders, everywhere in the content. Names stay. */
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

/** The content without personal data; what was replaced is counted in `replaced`. */
export const scrubContent = (content: Content, replaced: Replaced, { actorKey }: ScrubDependencies): Content => {
  const plans = numberingPlans()
  const label = (value: string | null) => (value === null ? null : redact(value, replaced, plans))
  const text = redact(content.text, replaced, plans)
  const isNamed = content.actor_email !== null && content.actor_email !== EMAIL
  if (isNamed) replaced.set('EMAIL', (replaced.get('EMAIL') ?? 0) + 1)
  return {
    ...content,
    text,
    text_hash: textHash(text),
    event: label(content.event),
    source: label(content.source),
    source_url: label(content.source_url),
    actor_name: label(content.actor_name),
    actor_email: isNamed ? EMAIL : content.actor_email,
    actor_key: isNamed ? actorKey(normalizeAddress(content.actor_email)) : content.actor_key,
    metadata: JSON.stringify(redactJson(JSON.parse(content.metadata), replaced, plans)),
  }
}
