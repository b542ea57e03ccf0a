import type { SourceForm, SourceForms } from '../../../schemas/domain/source-form.ts'
import { CODE_HOSTS, type CodeHost, SOURCE_KINDS, type SourceKind } from '../../../schemas/domain/vocabulary.ts'
import { codeHost, HOSTS } from './code-host.ts'
import { connection } from './connection.ts'
import { email } from './email.ts'
import { type Connectable, type PostedIntake, type SourceKindDescription, WEBHOOKS } from './kind.ts'
import { metric } from './metric.ts'
import { signal } from './signal.ts'

/** Every kind of source, in the order of the offer. A new kind is a file beside these and a line here. */
export const DESCRIPTIONS = {
  connection,
  signal,
  email,
  metric,
  code_host: codeHost,
} as const satisfies Readonly<Record<SourceKind, SourceKindDescription>>

/** Kinds with a URL; the others receive mail. */
export type PostedKind = {
  [Kind in SourceKind]: (typeof DESCRIPTIONS)[Kind] extends SourceKindDescription<PostedIntake> ? Kind : never
}[SourceKind]

export const isPosted = (kind: SourceKind): kind is PostedKind => DESCRIPTIONS[kind].intake.reachedBy === 'post'

// The record's own keys with their type, which `Object.keys` loses.
const OFFERED = Object.keys(DESCRIPTIONS) as SourceKind[]

export const POSTED_KINDS = SOURCE_KINDS.filter(isPosted)

/** Kinds of which a workspace has at most one. */
export const ONE_ONLY_KINDS = SOURCE_KINDS.filter(kind => DESCRIPTIONS[kind].oneOnly !== null)

/** Something to connect, with its kind of source. */
export type Offer = Connectable & Pick<SourceKindDescription, 'createdBy'> & { readonly kind: SourceKind }

/** All offers, in order. */
export const OFFERS: readonly Offer[] = OFFERED.flatMap(kind => {
  const { connectables, createdBy } = DESCRIPTIONS[kind]
  return connectables.map(connectable => ({ ...connectable, kind, createdBy }))
})

/** Path of a kind's receiver, with one for each code host. The source's id follows. */
export const postedPath = (kind: PostedKind, host: CodeHost | null): string =>
  `${WEBHOOKS}${DESCRIPTIONS[kind].intake.segment(host)}/`

const formOf = ({ intake, oneOnly, form }: SourceKindDescription): SourceForm => ({
  asksValue: false,
  ...form,
  isOneOnly: oneOnly !== null,
  reachedBy: intake.reachedBy,
  asksSecret: intake.reachedBy === 'post' && intake.proof.scheme === 'bearer',
})

/** Descriptions of every kind for the app's build. */
export const SOURCE_FORMS: SourceForms = {
  // All keys are there, which `Object.fromEntries` loses.
  kinds: Object.fromEntries(SOURCE_KINDS.map(kind => [kind, formOf(DESCRIPTIONS[kind])])) as SourceForms['kinds'],
  codeHosts: Object.fromEntries(
    CODE_HOSTS.map(host => [host, { label: HOSTS[host].label, icon: HOSTS[host].icon }]),
  ) as SourceForms['codeHosts'],
}
