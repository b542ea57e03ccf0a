import { cosine } from '../../../infra/vectors.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import {
  type LikelySignal,
  likelySame,
  likelySignals,
  nearestFirst,
  subjectOf,
} from '../../../model/search/likely-same.ts'
import { ownWords } from '../../../model/themes/own-words.ts'
import { ownPart, readSharedPassages, type SharedPassages } from '../../../model/themes/shared-passages.ts'
import { untrustedText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type ReadContext, readOperation, Type, throwDeleted } from '../define.ts'
import { shortened } from '../parts/excerpt.ts'
import { identifier, nullable, oneOf, uuid } from '../parts/fields.ts'
import { WAIT_MS } from '../parts/words.ts'

const TYPES = ['signal', 'claim'] as const
const MAX_ITEMS = 20
/** Characters that determine a text's meaning. */
const MEANT_CHARACTERS = 2000
/** A search looks up no more words than these characters contain. */
const SEARCHED_CHARACTERS = 600
const SHOWN_CHARACTERS = 200

export const listLikelySame = readOperation({
  name: 'list_likely_same',
  title: 'What likely says the same',
  summary:
    'Lists what is nearest to a Signal or a claim by meaning and words, the nearest first: Signals that it may repeat, or claims that may be the same, with how many Signals each has and how likely it is the same, where that is known. What many Signals share counts nothing.',
  units: 2,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({
    kind: oneOf(TYPES, { description: 'What id is.' }),
    id: identifier,
    type: oneOf(TYPES, { description: 'What is listed.' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ITEMS, description: 'Default 8.' })),
  }),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        id: uuid,
        reference: Type.String(),
        text: untrustedText({ description: 'The title of a claim, or the beginning of what a Signal says itself.' }),
        signals: Type.Integer({ description: 'Signals and their repeats.' }),
        chance: nullable(Type.Number({ description: 'That the two are the same, where the pair was weighed.' })),
      }),
      { description: 'The nearest, all in one answer.' },
    ),
  }),
  run: async ({ kind, id: identifier, type, limit = 8 }, context) => {
    const { caller, read } = context
    const { id, subject, shared } = await read(async transaction => {
      const { id } = await resolveOne(transaction, kind, identifier)
      const subject = (await subjectOf(transaction, kind, id)) ?? throwDeleted(kind)
      return { id, subject, shared: await readSharedPassages(transaction, caller.workspaceId) }
    })
    const nearest = await nearestTo(context, ownPart(subject.text, shared), { id, shared })
    const items = await read(transaction =>
      likelySame(transaction, type, { nearest, claimIds: subject.claimIds, most: limit }),
    )
    return {
      data: {
        items: items.map(({ number, text, ...rest }) => ({
          ...rest,
          reference: reference(type, number),
          text: shortened(type === 'signal' ? ownPart(text, shared) : text, SHOWN_CHARACTERS),
        })),
      },
    }
  },
})

interface Sought {
  /** The subject itself, which is left out of the answer. */
  readonly id: string
  readonly shared: SharedPassages
}

/**
 * Ids of the signals nearest to a text, nearest first. Passages that the text shares with unlike signals carry no
 * meaning; when such passages are found, the search is repeated without them.
 */
const nearestTo = async (context: ReadContext, text: string, { id, shared }: Sought): Promise<readonly string[]> => {
  const first = await search(context, text)
  const [own = text] = await ownWordsOf(text, first.signals, shared)
  const isCut = own !== '' && own.length < text.length * LEAST_OWN_SHARE
  const { meaning, signals } = isCut ? await search(context, own) : first
  const said = (await ownWordsOf(isCut ? own : text, signals, shared)).slice(1)
  const { embedder } = context.services
  const cut = signals.flatMap((signal, at) => {
    const own = said[at] ?? ''
    return own !== '' && own.length < signal.text.length * LEAST_OWN_SHARE ? [{ id: signal.id, own }] : []
  })
  const vectors = cut.length === 0 ? [] : await embedder.embed(cut.map(({ own }) => own.slice(0, MEANT_CHARACTERS)))
  const cosines = new Map(vectors.map((vector, at) => [cut[at]?.id, cosine(vector, meaning.vector)]))
  const measured = signals.map(signal => ({ ...signal, cosine: cosines.get(signal.id) ?? signal.cosine }))
  return nearestFirst(measured, embedder.model).flatMap(signal => (signal.id === id ? [] : [signal.id]))
}

/** The own words of a text and then of each signal. */
const ownWordsOf = async (
  text: string,
  signals: readonly LikelySignal[],
  shared: SharedPassages,
): Promise<readonly string[]> => (await ownWords([text, ...signals.map(signal => ownPart(signal.text, shared))])).own

/** Signals nearest to a text by words and by meaning. */
const search = async ({ caller, read, services }: ReadContext, text: string) => {
  const { embedder, neighbours, texts } = services
  const [vector] = await embedder.embed([text.slice(0, MEANT_CHARACTERS)])
  if (vector === undefined) throw new AssayError('internal', 'The embedder answered nothing for the text.')
  const meaning = { workspaceId: caller.workspaceId, model: embedder.model, vector }
  const [held] = await Promise.all([
    texts.refresh(read, caller.workspaceId, WAIT_MS),
    neighbours.fill(read, meaning, WAIT_MS),
  ])
  const own = text.slice(0, SEARCHED_CHARACTERS)
  const signals = await read(transaction => likelySignals(transaction, { own, meaning }, { texts: held, neighbours }))
  return { meaning, signals }
}

/** Below this share of own words a text needs a new vector. */
const LEAST_OWN_SHARE = 0.8
