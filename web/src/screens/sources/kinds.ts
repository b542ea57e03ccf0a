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
import { CODE_HOSTS, type CodeHost, SOURCE_KINDS, type SourceKind } from '../../../../schemas/domain/vocabulary.ts'

interface Kind {
  readonly label: string
  /** What it is for, in a sentence. */
  readonly about: string
  readonly icon: ComponentType<IconProps>
  readonly example: string
}

const KINDS: Readonly<Record<SourceKind, Kind>> = {
  signal: {
    label: 'Signal webhook',
    about: 'Any program posts signals to it as JSON, signed. A workspace has one; senders share it.',
    icon: IconWebhook,
    example: 'Support desk',
  },
  metric: {
    label: 'Metric webhook',
    about: 'Posts values of one metric, which map nodes can show. It makes no signals.',
    icon: IconChartLine,
    example: 'Weekly active teams',
  },
  code_host: {
    label: 'Code host',
    about: 'Pushes, pull requests, releases and deployments become signals.',
    icon: IconGitBranch,
    example: 'acme/shop',
  },
  email: {
    label: 'E-mail',
    about: 'Mail that is forwarded to its address becomes signals. A workspace has one address.',
    icon: IconMail,
    example: 'Forwarded mail',
  },
  connection: {
    label: 'Connection',
    about: 'Anything that sends Standard Webhooks. A mapping says where a signal’s fields are in it.',
    icon: IconPlugConnected,
    example: 'Survey tool',
  },
}

const HOSTS: Readonly<Record<CodeHost, string>> = { github: 'GitHub', gitea: 'Gitea', forgejo: 'Forgejo' }

interface OfKind {
  readonly kind: SourceKind
  readonly code_host?: CodeHost | null
}

/** What people are told of a source’s kind; a code host goes by its own name. */
export const kindOf = ({ kind, code_host }: OfKind): Kind => ({
  ...KINDS[kind],
  ...(code_host != null && { label: HOSTS[code_host] }),
  ...(code_host === 'github' && { icon: IconBrandGithub }),
})

export const KIND_CHOICES = SOURCE_KINDS.map(value => ({ value, label: KINDS[value].label }))
export const HOST_CHOICES = CODE_HOSTS.map(value => ({ value, label: HOSTS[value] }))

/** What a choice answers as one; it has no others. */
export const kindNamed = (value: string | null): SourceKind => SOURCE_KINDS.find(kind => kind === value) ?? 'signal'
export const hostNamed = (value: string | null): CodeHost => CODE_HOSTS.find(host => host === value) ?? 'github'

/** A reason of a refusal, in words. */
export const wordsOf = (reason: string): string => reason.replaceAll('_', ' ')
