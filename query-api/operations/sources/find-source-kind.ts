import { DESCRIPTIONS, isPosted, OFFERS, type Offer } from '../../../model/sources/kinds/index.ts'
import { type NamedSource, namedSources } from '../../../model/sources/sources.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { CODE_HOSTS, SOURCE_KINDS } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Static, Type } from '../define.ts'
import { inOneAnswer, nullable, oneOf, uuid } from '../parts/fields.ts'

const SourceKindEntry = Type.Object({
  kind: oneOf(SOURCE_KINDS),
  code_host: nullable(oneOf(CODE_HOSTS)),
  title: ownText(),
  accepts: ownText(),
  available: Type.Boolean(),
  created_by: oneOf(['agent', 'person'], { description: 'person: in the app under Settings → Sources.' }),
  existing_sources: Type.Array(Type.Object({ id: uuid, name: ownText(), paused: Type.Boolean() }), {
    description: 'Those of this kind that the workspace has, the first 5.',
  }),
  existing_source_count: Type.Integer(),
  steps: Type.Array(Type.String(), { description: 'What to do, in order.' }),
})
type SourceKindEntry = Static<typeof SourceKindEntry>

const MAX_EXISTING = 5

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
    has_match: Type.Boolean({ description: 'False when nothing fits the query: then all kinds are listed.' }),
    message: ownText(),
    count: Type.Integer(),
    items: inOneAnswer('there are a dozen kinds', SourceKindEntry),
  }),
  run: async ({ query }, { read, services }) => {
    const existing = await read(namedSources)
    const found = searchOffers(query)
    const items = (found.length > 0 ? found : OFFERS).map(offer =>
      entryOf(offer, existing, services.mailDomain !== null),
    )
    return {
      data: {
        has_match: found.length > 0,
        message: describeMatches(items, found.length > 0),
        count: items.length,
        items,
      },
    }
  },
})

/** Offers that share words with the query, best match first; all of them without a query, and none without a match. */
const searchOffers = (query: string | undefined): readonly Offer[] => {
  const searchWords = (query?.toLowerCase() ?? '').split(/[^\p{L}\p{N}-]+/u).filter(word => word !== '')
  if (searchWords.length === 0) return OFFERS
  return OFFERS.map(offer => ({ offer, score: searchWords.filter(word => knows(offer, word)).length }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .map(({ offer }) => offer)
}

/** True for an offer's word, also in the plural, and for a longer name that begins with it (`zendesk-support`). */
const knows = ({ words, kind }: Offer, searchWord: string): boolean =>
  [...words.split(' '), kind].some(
    word => searchWord === word || searchWord === `${word}s` || searchWord.startsWith(`${word}-`),
  )

const entryOf = (offer: Offer, existing: readonly NamedSource[], takesMail: boolean): SourceKindEntry => {
  const { kind, code_host, title, accepts, createdBy, steps } = offer
  const ofKind = existing.filter(source => source.kind === kind && source.code_host === code_host)
  const available = isPosted(kind) || takesMail
  return {
    kind,
    code_host,
    title,
    accepts,
    created_by: createdBy,
    available,
    existing_sources: ofKind.slice(0, MAX_EXISTING).map(({ id, name, paused }) => ({ id, name, paused })),
    existing_source_count: ofKind.length,
    steps: available ? [creation(offer, ofKind.length > 0), ...steps] : [NO_MAIL],
  }
}

const NO_MAIL = 'An operator sets INGEST_MAIL_DOMAIN: until then this installation takes no mail.'

const creation = ({ kind, createdBy }: Offer, exists: boolean): string => {
  if (exists && DESCRIPTIONS[kind].oneOnly !== null) {
    return 'Use the one that is there, which everybody shares: service_connect mode list shows its address.'
  }
  return createdBy === 'agent'
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
