import {
  IconBrandGithub,
  IconChartLine,
  IconGitBranch,
  IconMail,
  IconPlugConnected,
  type IconProps,
  IconWebhook,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { SourceForm, SourceForms, SourceIcon } from '../../../../schemas/domain/source-form.ts'
import { CODE_HOSTS, type CodeHost, SOURCE_KINDS, type SourceKind } from '../../../../schemas/domain/vocabulary.ts'
import { t, word } from '../../language/messages.ts'

/** What `model/sources/kinds/` says of every kind: the build puts it in its place (`web/vite.config.ts`). */
declare const __SOURCE_FORMS__: SourceForms
const { kinds: KINDS, codeHosts: CODE_HOST_FORMS } = __SOURCE_FORMS__

const ICONS: Readonly<Record<SourceIcon, ComponentType<IconProps>>> = {
  webhook: IconWebhook,
  chart: IconChartLine,
  branch: IconGitBranch,
  github: IconBrandGithub,
  mail: IconMail,
  plug: IconPlugConnected,
}

interface OfKind {
  readonly kind: SourceKind
  readonly code_host?: CodeHost | null
}

/** What people are told of a source’s kind; a code host goes by its own name and picture. */
export const kindOf = ({
  kind,
  code_host,
}: OfKind): Omit<SourceForm, 'icon'> & { readonly icon: (typeof ICONS)[SourceIcon] } => {
  const form = { ...KINDS[kind], ...(code_host != null && CODE_HOST_FORMS[code_host]) }
  const { label, about, exampleName } = form
  return { ...form, label: word(label), about: word(about), exampleName: word(exampleName), icon: ICONS[form.icon] }
}

/** Every kind as a choice; one that would be refused says why, and cannot be chosen. */
export const kindChoices = (existing: ReadonlySet<SourceKind>, takesMail: boolean) =>
  SOURCE_KINDS.map(value => {
    const { label, isOneOnly, reachedBy } = KINDS[value]
    const kind = word(label)
    if (isOneOnly && existing.has(value))
      return { value, label: t('{kind}: there is already one, and all senders share it', { kind }), disabled: true }
    if (reachedBy === 'mail' && !takesMail)
      return { value, label: t('{kind}: this installation takes no mail', { kind }), disabled: true }
    return { value, label: kind, disabled: false }
  })
export const HOST_CHOICES = CODE_HOSTS.map(value => ({ value, label: CODE_HOST_FORMS[value].label }))

/** What a choice answers as one; it has no others. */
export const kindNamed = (value: string | null): SourceKind => SOURCE_KINDS.find(kind => kind === value) ?? 'signal'
export const hostNamed = (value: string | null): CodeHost => CODE_HOSTS.find(host => host === value) ?? 'github'

/** A reason of a refusal, in words. */
export const wordsOf = (reason: string): string => word(reason.replaceAll('_', ' '))
