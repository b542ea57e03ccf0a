import type { CodeHost, SourceKind } from '../../../schemas/domain/vocabulary.ts'

/** A kind of source as somebody finds it who knows what they want to connect. */
export interface CatalogueEntry {
  readonly kind: SourceKind
  readonly code_host: CodeHost | null
  readonly title: string
  /** What connects this way, and what becomes of what it sends. */
  readonly connects: string
  readonly created_by: 'agent' | 'person'
  /** What people call what connects this way, in lower case. */
  readonly words: readonly string[]
}

/** Tools without a way of their own: an automation or a small program passes on what they say. */
const RELAYED =
  `zendesk intercom freshdesk helpdesk help desk support ticket slack teams discord chat typeform survey form
  hubspot salesforce crm jira linear notion airtable zapier make n8n automation review app store forum community gitlab bitbucket
  script program relay http api json webhook`.split(/\s+/)

const GIT = ['git', 'code', 'repository', 'pull', 'request', 'push', 'release', 'deployment', 'commit']

export const CATALOGUE: readonly CatalogueEntry[] = [
  {
    kind: 'connection',
    code_host: null,
    title: 'Connection (Standard Webhooks)',
    connects:
      'Whatever signs by Standard Webhooks, or an automation or a small program that does so with its library on behalf of another tool. settings.mapping finds a Signal’s fields in foreign JSON.',
    created_by: 'agent',
    words: ['standard', 'webhooks', 'svix', 'signed', 'event', ...RELAYED],
  },
  {
    kind: 'signal',
    code_host: null,
    title: 'Signal webhook',
    connects:
      'Programs that post feedback as JSON with an HMAC of the body; all senders share the one webhook of the workspace.',
    created_by: 'person',
    words: ['signal', 'feedback', 'hmac', 'custom', 'backend', 'server', ...RELAYED],
  },
  {
    kind: 'email',
    code_host: null,
    title: 'Ingestion address for mail',
    connects: 'Mail that people or rules forward; quotes, signatures and automatic answers are recognized.',
    created_by: 'person',
    words:
      `email e-mail mail gmail outlook exchange inbox mailbox imap smtp forward forwarding newsletter zendesk helpscout
      front support`.split(/\s+/),
  },
  {
    kind: 'metric',
    code_host: null,
    title: 'Metric webhook',
    connects: 'A number over time. It makes no Signal; bound to a node of the map, it shows there.',
    created_by: 'person',
    words: `metric metrics kpi number value analytics dashboard prometheus grafana datadog mixpanel amplitude posthog
      bigquery sql warehouse nps retention conversion revenue`.split(/\s+/),
  },
  {
    kind: 'code_host',
    code_host: 'github',
    title: 'GitHub webhook',
    connects: 'Pushes, pull requests, releases and deployments. A pull request that names SOL-12 proposes a handoff.',
    created_by: 'person',
    words: ['github', ...GIT],
  },
  {
    kind: 'code_host',
    code_host: 'gitea',
    title: 'Gitea webhook',
    connects: 'Pushes, pull requests and releases. A pull request that names SOL-12 proposes a handoff.',
    created_by: 'person',
    words: ['gitea', ...GIT],
  },
  {
    kind: 'code_host',
    code_host: 'forgejo',
    title: 'Forgejo webhook',
    connects: 'Pushes, pull requests and releases. A pull request that names SOL-12 proposes a handoff.',
    created_by: 'person',
    words: ['forgejo', 'codeberg', ...GIT],
  },
]

/** Entries that share words with the query, those with most of them first; all of them without a query, and none when none fits. */
export const searchCatalogue = (query: string | undefined): readonly CatalogueEntry[] => {
  const searchWords = (query?.toLowerCase() ?? '').split(/[^\p{L}\p{N}-]+/u).filter(word => word !== '')
  if (searchWords.length === 0) return CATALOGUE
  return CATALOGUE.map(entry => ({ entry, score: searchWords.filter(word => knows(entry, word)).length }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .map(({ entry }) => entry)
}

/** An entry's words, also in the plural, and with the rest of a longer name behind them (`zendesk-support`). */
const knows = ({ words, kind }: CatalogueEntry, searchWords: string): boolean =>
  [...words, kind].some(
    word => searchWords === word || searchWords === `${word}s` || searchWords.startsWith(`${word}-`),
  )
