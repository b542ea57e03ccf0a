import type { SourceForm, SourceForms } from '../../../schemas/domain/source-form.ts'
import { CODE_HOSTS, type CodeHost, SOURCE_KINDS, type SourceKind } from '../../../schemas/domain/vocabulary.ts'
import { codeHost, HOSTS } from './code-host.ts'
import { connection } from './connection.ts'
import { email } from './email.ts'
import { type Connectable, type PostedIntake, type SourceKindDescription, WEBHOOKS } from './kind.ts'
import { metric } from './metric.ts'
import { signal } from './signal.ts'

/** Every kind of source, in the order in which they are offered. A new one is a file beside these and a line here. */
export const DESCRIPTIONS = {
  connection,
  signal,
  email,
  metric,
  code_host: codeHost,
} as const satisfies Readonly<Record<SourceKind, SourceKindDescription>>

/** Kinds that requests are posted to; mail is sent to the others. */
export type PostedKind = {
  [Kind in SourceKind]: (typeof DESCRIPTIONS)[Kind] extends SourceKindDescription<PostedIntake> ? Kind : never
}[SourceKind]

export const isPosted = (kind: SourceKind): kind is PostedKind => DESCRIPTIONS[kind].intake.reachedBy === 'post'

// The record's own keys; `Object.keys` forgets their type.
const OFFERED = Object.keys(DESCRIPTIONS) as SourceKind[]

export const POSTED_KINDS = SOURCE_KINDS.filter(isPosted)

/** Kinds of which a workspace has one at most. */
export const ONE_ONLY_KINDS = SOURCE_KINDS.filter(kind => DESCRIPTIONS[kind].oneOnly !== null)

/** Something that can be connected, with its kind of source. */
export type Offer = Connectable & Pick<SourceKindDescription, 'createdBy'> & { readonly kind: SourceKind }

/** All of it, in the order in which it is offered. */
export const OFFERS: readonly Offer[] = OFFERED.flatMap(kind => {
  const { connectables, createdBy } = DESCRIPTIONS[kind]
  return connectables.map(connectable => ({ ...connectable, kind, createdBy }))
})

/** Where the receiver of a kind takes requests, of a code host each at a path of its own; a source's id follows it. */
export const postedPath = (kind: PostedKind, host: CodeHost | null): string =>
  `${WEBHOOKS}${DESCRIPTIONS[kind].intake.segment(host)}/`

const formOf = ({ intake, oneOnly, form }: SourceKindDescription): SourceForm => ({
  asksValue: false,
  ...form,
  isOneOnly: oneOnly !== null,
  reachedBy: intake.reachedBy,
  asksSecret: intake.reachedBy === 'post' && intake.proof.scheme === 'bearer',
})

/** What the app shows of every kind; its build takes it from here. */
export const SOURCE_FORMS: SourceForms = {
  // The keys are all there are, which `Object.fromEntries` forgets.
  kinds: Object.fromEntries(SOURCE_KINDS.map(kind => [kind, formOf(DESCRIPTIONS[kind])])) as SourceForms['kinds'],
  codeHosts: Object.fromEntries(
    CODE_HOSTS.map(host => [host, { label: HOSTS[host].label, icon: HOSTS[host].icon }]),
  ) as SourceForms['codeHosts'],
}
