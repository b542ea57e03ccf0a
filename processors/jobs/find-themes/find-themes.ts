import type { Embedder } from '../../../infra/models/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { yieldToEventLoop } from '../../../infra/runtime/turns.ts'
import { runningJob } from '../../../model/jobs/jobs.ts'
import { type AnsweredTheme, answeredThemes } from '../../../model/themes/answers.ts'
import { findThemes, isLeftOut, type SaidSignal } from '../../../model/themes/find-themes.ts'
import type { Answered, FoundMember } from '../../../model/themes/grow.ts'
import { type LookedAt, signalsBelow, vectorsOf } from '../../../model/themes/looked-at.ts'
import { collectMeanings, type Meanings } from '../../../model/themes/meanings.ts'
import { nameOf, quoteOf, type Rarity, rarityOf, tellingWords } from '../../../model/themes/names.ts'
import { ownWords } from '../../../model/themes/own-words.ts'
import { type NewTheme, storeThemes } from '../../../model/themes/store-themes.ts'
import type { SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { isCommonWord, likeliestLanguage } from '../../steps/classify/built-in/lexicon.ts'
import { type InWorkspace, inWorkspace } from '../in-workspace.ts'
import type { JobDefinition, SliceResult } from '../job-kind.ts'

/** The newest are looked at: 20,000 take some 250 MB while themes are found. */
const MOST_SIGNALS = 50_000
const SIGNALS_A_PAGE = 500
/** A text that has lost more of itself to what others share means something else than its vector says. */
const LEAST_OWN_SHARE = 0.8
const MAX_NUMBER = 2_147_483_647

export interface FindThemesDependencies {
  readonly database: Database
  readonly embedder: Embedder
  readonly mostSignals?: number
}

/** A signal with what it says itself. */
interface Said extends SaidSignal {
  readonly signal: LookedAt
}

/**
 * Finds the themes of a workspace anew, from all of its signals. One slice, which gives way to all other work; one that
 * is cut short has stored nothing, and begins anew.
 */
export const createFindThemesJob = ({
  database,
  embedder,
  mostSignals = MOST_SIGNALS,
}: FindThemesDependencies): JobDefinition => ({
  kind: 'find_themes',
  slice: async ({ workspaceId }): Promise<SliceResult> => {
    const inside = inWorkspace({ database }, workspaceId)
    // Signals without a vector yet would be in no theme, and all themes would end.
    if ((await inside(transaction => runningJob(transaction, 're_embed'))) !== undefined)
      throw new AssayError('busy', 'The workspace is being embedded again; its themes are found after that.')
    const signals = await readSignals(inside, workspaceId, mostSignals)
    const answered = await inside(transaction => answeredThemes(transaction, workspaceId))
    const { said, meanings } = await readMeanings(inside, embedder, await saidOf(signals, answered))
    const { grown, found } = await findThemes(said, meanings, placesOf(answered, said))
    const rarity = rarityOf(said.map(({ text }) => text))
    const themes: NewTheme[] = []
    for (const [at, members] of [...grown, ...found].entries()) {
      await yieldToEventLoop()
      const id = answered[at]?.id
      themes.push({ ...(id && { id }), ...described(members, said, rarity) })
    }
    const [{ number } = { number: 0 }] = signals
    const run = { throughNumber: number, signals: signals.length, model: embedder.model, mean: meanings.mean }
    await inside(transaction => storeThemes(transaction, workspaceId, themes, run))
    return { cursor: null, done: signals.length, failed: 0, total: signals.length }
  },
})

/** The signals of the workspace, the newest first. */
const readSignals = async (
  inside: InWorkspace,
  workspaceId: WorkspaceId,
  most: number,
): Promise<readonly LookedAt[]> => {
  const signals: LookedAt[] = []
  while (signals.length < most) {
    const below = signals.at(-1)?.number ?? MAX_NUMBER
    const wanted = Math.min(SIGNALS_A_PAGE, most - signals.length)
    const page = await inside(transaction => signalsBelow(transaction, workspaceId, below, wanted))
    signals.push(...page)
    if (page.length < wanted) break
    await yieldToEventLoop()
  }
  return signals
}

/** The signals that may be of a theme; those that a person confirmed of one say something. */
const saidOf = async (signals: readonly LookedAt[], answered: readonly AnsweredTheme[]): Promise<readonly Said[]> => {
  const confirmed = new Set(answered.flatMap(theme => theme.confirmed))
  const own = await ownWords(signals.map(({ text }) => text))
  return signals
    .map((signal, at) => ({
      signal,
      text: own[at] ?? '',
      nothing: signal.classification === 'unclassified' ? signal.confidence : 0,
    }))
    .filter(one => confirmed.has(one.signal.id) || !isLeftOut(one))
}

/** The answers by the places of the signals, as far as these are looked at. */
const placesOf = (answered: readonly AnsweredTheme[], said: readonly Said[]): readonly Answered[] => {
  const places = new Map(said.map(({ signal }, place) => [signal.id, place]))
  const placesIn = (ids: readonly SignalId[]) => ids.flatMap(id => places.get(id) ?? [])
  return answered.map(({ confirmed, refused }) => ({ confirmed: placesIn(confirmed), refused: placesIn(refused) }))
}

/** What signals mean by what they say themselves; those without a vector of the model are left out. */
const readMeanings = async (
  inside: InWorkspace,
  embedder: Embedder,
  signals: readonly Said[],
): Promise<{ readonly said: readonly Said[]; readonly meanings: Meanings }> => {
  const meanings = collectMeanings(signals.length)
  const said: Said[] = []
  for (let from = 0; from < signals.length; from += SIGNALS_A_PAGE) {
    const page = signals.slice(from, from + SIGNALS_A_PAGE)
    const ids = page.map(({ signal }) => signal.id)
    const stored = await inside(transaction => vectorsOf(transaction, ids, embedder.model))
    const cut = page.filter(({ signal, text }) => text.length < signal.text.length * LEAST_OWN_SHARE)
    const embedded = cut.length === 0 ? [] : await embedder.embed(cut.map(({ text }) => text))
    const own = new Map(cut.map(({ signal }, at) => [signal.id, embedded[at]]))
    for (const one of page) {
      const vector = own.get(one.signal.id) ?? stored.get(one.signal.id)
      if (vector === undefined) continue
      meanings.add(vector)
      said.push(one)
    }
    await yieldToEventLoop()
  }
  return { said, meanings: meanings.done() }
}

const described = (members: readonly FoundMember[], said: readonly Said[], rarity: Rarity): NewTheme => {
  const own = members.flatMap(({ signal, likeness }) => {
    const one = said[signal]
    return one === undefined ? [] : [{ ...one, likeness }]
  })
  const texts = own.map(({ text }) => text)
  const telling = tellingWords(texts, rarity)
  const quoted = own.map(({ signal, text, likeness }) => ({
    signalId: signal.id,
    likeness,
    language: likeliestLanguage(text),
    ...quoteOf(signal.text, text, telling),
  }))
  const [first] = own
  const [quote] = quoted
  const sentence =
    first === undefined || quote === undefined ? '' : first.signal.text.slice(quote.start, quote.start + quote.length)
  return { name: nameOf(texts, telling, isCommonWord) ?? sentence, members: quoted }
}
