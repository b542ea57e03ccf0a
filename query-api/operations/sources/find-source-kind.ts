import { type Static, Type } from 'typebox'
import type { SourceId } from '../../../schemas/domain/ids.ts'
import { CODE_HOSTS, SOURCE_KINDS } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { nullable, oneOf, uuid } from '../parts/fields.ts'
import { CATALOGUE, type CatalogueEntry, searchCatalogue } from './catalogue.ts'
import { setupSteps } from './setup-steps.ts'

const SourceKindEntry = Type.Object({
  kind: oneOf(SOURCE_KINDS),
  code_host: nullable(oneOf(CODE_HOSTS)),
  title: Type.String(),
  connects: Type.String(),
  available: Type.Boolean(),
  created_by: oneOf(['agent', 'person'], { description: 'person: in the app under Settings → Sources.' }),
  existing: Type.Array(Type.Object({ id: uuid, name: Type.String(), paused: Type.Boolean() }), {
    description: 'Those of this kind that the workspace has, the first 5.',
  }),
  steps: Type.Array(Type.String(), { description: 'What to do, in order.' }),
})
type SourceKindEntry = Static<typeof SourceKindEntry>

const EXISTING = `
  select id, kind, code_host, name, paused_at is not null as paused from sources
  where deleted_at is null order by created_at, id`

type Existing = SourceKindEntry['existing'][number] &
  Pick<SourceKindEntry, 'kind' | 'code_host'> & { readonly id: SourceId }

const MAX_EXISTING = 5
const ONE_OF_A_KIND = new Set(['signal', 'email'])

export const findSourceKind = readOperation({
  name: 'find_source_kind',
  title: 'How something is connected',
  summary:
    'Answers which kinds of source there are and how each is connected, searched by what should be connected, such as github, zendesk, email or a metric: who may create it (an agent creates connections, people the others), the steps, and which of the kind there are already.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    query: Type.Optional(
      Type.String({ minLength: 1, maxLength: 300, description: 'What to connect, such as zendesk.' }),
    ),
  }),
  output: Type.Object({
    found: Type.Boolean({ description: 'False when nothing fits the query: then all kinds are listed.' }),
    says: Type.String(),
    count: Type.Integer(),
    items: Type.Array(SourceKindEntry),
  }),
  run: async ({ query }, { read, services }) => {
    const existing = await read(transaction => transaction.query<Existing>(EXISTING))
    const found = searchCatalogue(query)
    const items = (found.length > 0 ? found : CATALOGUE).map(entry =>
      wayOf(entry, existing, services.mailDomain !== null),
    )
    return {
      data: { found: found.length > 0, says: describeMatches(items, found.length > 0), count: items.length, items },
    }
  },
})

const wayOf = (
  { words: _, ...entry }: CatalogueEntry,
  existing: readonly Existing[],
  takesMail: boolean,
): SourceKindEntry => {
  const ofKind = existing.filter(({ kind, code_host }) => kind === entry.kind && code_host === entry.code_host)
  const available = entry.kind !== 'email' || takesMail
  return {
    ...entry,
    available,
    existing: ofKind.slice(0, MAX_EXISTING).map(({ id, name, paused }) => ({ id, name, paused })),
    steps: available ? [creation(entry, ofKind.length > 0), ...setupSteps(entry)] : [NO_MAIL],
  }
}

const NO_MAIL = 'An operator sets INGEST_MAIL_DOMAIN: until then this installation takes no mail.'

const creation = ({ kind, created_by: by }: Pick<CatalogueEntry, 'kind' | 'created_by'>, exists: boolean): string => {
  if (exists && ONE_OF_A_KIND.has(kind)) {
    return 'Use the one that is there, which everybody shares: service_connect mode list shows its address.'
  }
  return by === 'agent'
    ? 'Create it with service_connect mode create: a name, settings.mapping where its JSON is foreign, and an example to try that on.'
    : 'A person creates it in the app under Settings → Sources; the address and the secret are shown there once.'
}

const describeMatches = (items: readonly SourceKindEntry[], found: boolean): string => {
  if (!found) {
    return 'Nothing here speaks that by name. Whatever signs by Standard Webhooks is a connection, an automation or small program can sign for another tool, and mail can be forwarded.'
  }
  const own = items.some(({ created_by: by }) => by === 'agent')
  return own
    ? 'You may create the connection yourself; the others are for a person.'
    : 'A person creates this in the app under Settings → Sources; you may test, pause and resume it.'
}
