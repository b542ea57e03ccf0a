import type { Input, Output } from '../../api/client.ts'
import { addressOfReference } from '../../parts/reference.tsx'

export type Section = Output<'list_changes'>['items'][number]
export type Kind = Section['kind']
export type Change = Section['items'][number]
export type Time = NonNullable<Input<'list_changes'>['time']>

interface About {
  readonly title: string
  /** Where an item of it is shown, by its reference; null for what the workspace has no page of. */
  readonly addressOf: (reference: string | null) => string | null
}

const page = (reference: string | null): string | null => reference && addressOfReference(reference)
const document = (reference: string | null): string | null => {
  const solution = page(reference)
  return solution && `${solution}/document`
}

/** What changes, in the order in which it is told. */
export const KINDS: Readonly<Record<Kind, About>> = {
  signals: { title: 'New Signals', addressOf: () => '/app/triage' },
  claims_appeared: { title: 'New claims', addressOf: page },
  claims_moved: { title: 'Claims that changed their state', addressOf: page },
  merges: { title: 'Merges', addressOf: page },
  solutions: { title: 'Solutions created or moved', addressOf: page },
  decisions: { title: 'Decisions', addressOf: page },
  outcomes: { title: 'Outcomes', addressOf: page },
  living_documents: { title: 'Living Documents', addressOf: document },
  dead_letters: { title: 'Dead letters', addressOf: () => '/app/pipeline/dead-letters' },
}

const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text)

/** The kind that an address names; null for none. */
export const kindOf = (text: string): Kind | null => (isKind(text) ? text : null)
