import type { Embedder } from '../../../infra/models/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { yieldToEventLoop } from '../../../infra/runtime/yielding.ts'
import { withoutFrame } from '../../../model/duplicates/wording/wording.ts'
import { runningJob } from '../../../model/jobs/jobs.ts'
import { MAX_REWEIGHED, type OwnSaid, reweighPairs } from '../../../model/merges/reweigh-pairs.ts'
import { type AnsweredTheme, answeredThemes, countAnswers } from '../../../model/themes/answers.ts'
import { findThemes, isLeftOut, type SaidSignal } from '../../../model/themes/find-themes.ts'
import type { Answered, FoundMember } from '../../../model/themes/grow.ts'
import { type LookedAt, signalsBelow } from '../../../model/themes/looked-at.ts'
import { collectMeanings, type Meanings } from '../../../model/themes/meanings.ts'
import { nameOf, quoteOf, type Rarity, rarityOf, tellingWords } from '../../../model/themes/names.ts'
import { type OwnWords, ownWords } from '../../../model/themes/own-words.ts'
import { type PresentMember, presentMembers } from '../../../model/themes/read-themes.ts'
import { retitleClaims } from '../../../model/themes/retitle-claims.ts'
import { passageHashes, readSharedPassages } from '../../../model/themes/shared-passages.ts'
import { type NewTheme, storeThemes } from '../../../model/themes/store-themes.ts'
import type { SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { isCommonWord, likeliestLanguage } from '../../steps/classify/built-in/lexicon.ts'
import { type InWorkspace, inWorkspace } from '../in-workspace.ts'
import type { JobDefinition, SliceResult } from '../job-kind.ts'
import { FUNCTION_WORDS } from './function-words.ts'
import { type OwnPart, ownVectorsOf } from './own-vectors.ts'

/** The newest signals are used. A signal takes some 12 kB during the computation. */
const MAX_SIGNALS = 100_000
const LEAST_SIGNALS = 5_000
const BYTES_A_SIGNAL = 12_000
const MAX_CHARACTERS = 64 * 2 ** 20

/** As many signals as take half of the free memory. */
const asManyAsFit = (): number =>
  Math.min(MAX_SIGNALS, Math.max(LEAST_SIGNALS, Math.floor(process.availableMemory() / 2 / BYTES_A_SIGNAL)))
const SIGNALS_A_PAGE = 500
const MAX_NUMBER = 2_147_483_647

export interface FindThemesDependencies {
  readonly database: Database
  readonly embedder: Embedder
  readonly mostSignals?: number
}

type OwnSignal = OwnPart & SaidSignal

interface Said extends OwnSignal {
  /** Language of the own part; null when it is unknown. */
  readonly language: string | null
}

/**
 * Finds the themes of a workspace again from its signals, in one slice in the background. A slice that ends early has
 * stored vectors of own texts alone, which stay right.
 */
export const createFindThemesJob = ({ database, embedder, mostSignals }: FindThemesDependencies): JobDefinition => ({
  kind: 'find_themes',
  slice: async ({ workspaceId }): Promise<SliceResult> => {
    const inside = inWorkspace({ database }, workspaceId)
    // Signals without a vector would be in no theme, and all themes would end.
    if ((await inside(transaction => runningJob(transaction, 're_embed'))) !== undefined)
      throw new AssayError('busy', 'The workspace is being embedded again; its themes are found after that.')
    const signals = await readSignals(inside, workspaceId, mostSignals ?? asManyAsFit())
    const answers = await inside(transaction => countAnswers(transaction, workspaceId))
    const { answered, present } = await inside(async transaction => {
      const themes = await answeredThemes(transaction, workspaceId)
      const ids = themes.map(({ id }) => id)
      return { answered: themes, present: await presentMembers(transaction, ids) }
    })
    // A greeting and a signature are no part of what a text asks for.
    const own = await ownWords(signals.map(({ text }) => withoutFrame(text).join('\n')))
    const parts = saidOf(signals, own, answered)
    const { said, meanings, cut } = await readMeanings(inside, { workspaceId, embedder }, parts)
    const { grown, found } = await findThemes(said, meanings, placesOf(answered, present, said))
    const rarity = rarityOf(said.map(({ text }) => text))
    const themes: NewTheme[] = []
    for (const [at, { members, pull }] of [...grown, ...found].entries()) {
      await yieldToEventLoop()
      const id = answered[at]?.id
      themes.push({ ...(id && { id }), ...described(members, said, rarity), ...(pull && { pull }) })
    }
    const [{ number } = { number: 0 }] = signals
    const { model } = embedder
    const shared = passageHashes(own.shared)
    const before = await inside(transaction => readSharedPassages(transaction, workspaceId))
    const run = {
      throughNumber: number,
      signals: signals.length,
      model,
      mean: meanings.mean,
      means: meanings.means,
      answers,
      shared,
    }
    await inside(transaction => storeThemes(transaction, workspaceId, themes, run))
    if (shared.some(hash => !before.has(hash))) await retitleClaims(inside, workspaceId, new Set(shared))
    await reweighPairs(inside, workspaceId, { said: cut.toReversed(), model })
    return { cursor: null, done: signals.length, failed: 0, total: signals.length }
  },
})

/** Signals of the workspace, newest first. */
const readSignals = async (
  inside: InWorkspace,
  workspaceId: WorkspaceId,
  most: number,
): Promise<readonly LookedAt[]> => {
  const signals: LookedAt[] = []
  let characters = 0
  while (signals.length < most && characters < MAX_CHARACTERS) {
    const below = signals.at(-1)?.number ?? MAX_NUMBER
    const wanted = Math.min(SIGNALS_A_PAGE, most - signals.length)
    const page = await inside(transaction => signalsBelow(transaction, workspaceId, below, wanted))
    signals.push(...page)
    characters += page.reduce((sum, { text }) => sum + text.length, 0)
    if (page.length < wanted) break
    await yieldToEventLoop()
  }
  return signals
}

/** Signals that may be in a theme: those that say something, and those that a person confirmed for one. */
const saidOf = (
  signals: readonly LookedAt[],
  { own }: OwnWords,
  answered: readonly AnsweredTheme[],
): readonly OwnSignal[] => {
  const confirmed = new Set(answered.flatMap(theme => theme.confirmed))
  return signals
    .map((signal, at) => ({
      signal,
      text: own[at] ?? '',
      nothing: signal.classification === 'unclassified' ? signal.confidence : 0,
    }))
    .filter(one => confirmed.has(one.signal.id) || !isLeftOut(one))
}

/** People's answers by position in `said`, for the signals that are in it. */
const placesOf = (
  answered: readonly AnsweredTheme[],
  present: readonly PresentMember[],
  said: readonly Said[],
): readonly Answered[] => {
  const places = new Map(said.map(({ signal }, place) => [signal.id, place]))
  const placesIn = (ids: readonly SignalId[]) => ids.flatMap(id => places.get(id) ?? [])
  const presentOf = Map.groupBy(present, ({ theme_id }) => theme_id)
  return answered.map(({ id, confirmed, refused }) => ({
    confirmed: placesIn(confirmed),
    refused: placesIn(refused),
    present: (presentOf.get(id) ?? []).flatMap(({ signal_id, likeness }) =>
      placesIn([signal_id]).map(signal => ({ signal, likeness })),
    ),
  }))
}

interface Meant {
  readonly said: readonly Said[]
  readonly meanings: Meanings
  /** The newest signals whose texts were cut. */
  readonly cut: readonly OwnSaid[]
}

/** Meanings of the signals' own texts. Signals without a vector of the model are left out. */
const readMeanings = async (
  inside: InWorkspace,
  space: { readonly workspaceId: WorkspaceId; readonly embedder: Embedder },
  signals: readonly OwnSignal[],
): Promise<Meant> => {
  const meanings = collectMeanings(signals.length)
  const said: Said[] = []
  const cut: OwnSaid[] = []
  for (let from = 0; from < signals.length; from += SIGNALS_A_PAGE) {
    const page = signals.slice(from, from + SIGNALS_A_PAGE)
    const vectors = await ownVectorsOf(inside, space, page)
    for (const one of page) {
      const own = vectors.get(one.signal.id)
      if (own === undefined) continue
      const { vector, isCut } = own
      if (isCut && cut.length < MAX_REWEIGHED) cut.push({ signalId: one.signal.id, text: one.text, vector })
      const language = likeliestLanguage(one.text)
      meanings.add(vector, language)
      said.push({ ...one, language })
    }
    await yieldToEventLoop()
  }
  return { said, meanings: await meanings.done(), cut }
}

const saysNothing = (word: string): boolean => isCommonWord(word) || FUNCTION_WORDS.has(word)

const described = (members: readonly FoundMember[], said: readonly Said[], rarity: Rarity): NewTheme => {
  const own = members.flatMap(({ signal, likeness }) => {
    const one = said[signal]
    return one === undefined ? [] : [{ ...one, likeness }]
  })
  const texts = own.map(({ text }) => text)
  const telling = tellingWords(texts, rarity)
  const quoted = own.map(({ signal, text, language, likeness }) => ({
    signalId: signal.id,
    likeness,
    language,
    ...quoteOf(signal.text, text, telling),
  }))
  const [first] = own
  const [quote] = quoted
  const sentence =
    first === undefined || quote === undefined ? '' : first.signal.text.slice(quote.start, quote.start + quote.length)
  return { name: nameOf(texts, telling, saysNothing) ?? sentence, members: quoted }
}
