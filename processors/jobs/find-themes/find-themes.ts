import type { Embedder } from '../../../infra/models/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { yieldToEventLoop } from '../../../infra/runtime/turns.ts'
import { runningJob } from '../../../model/jobs/jobs.ts'
import { type FoundMember, findThemes, isLeftOut, type SaidSignal } from '../../../model/themes/find-themes.ts'
import { type LookedAt, signalsBelow, vectorsOf } from '../../../model/themes/looked-at.ts'
import { collectMeanings, type Meanings } from '../../../model/themes/meanings.ts'
import { nameOf, quoteOf, type Rarity, rarityOf, tellingWords } from '../../../model/themes/names.ts'
import { ownWords } from '../../../model/themes/own-words.ts'
import { type NewTheme, storeThemes } from '../../../model/themes/store-themes.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
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
    const { said, meanings } = await readMeanings(inside, embedder, await saidOf(signals))
    const found = await findThemes(said, meanings)
    const rarity = rarityOf(said.map(({ text }) => text))
    const themes: NewTheme[] = []
    for (const members of found) {
      await yieldToEventLoop()
      themes.push(described(members, said, rarity))
    }
    const run = { throughNumber: signals[0]?.number ?? 0, signals: signals.length, model: embedder.model }
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

/** The signals that may be of a theme. */
const saidOf = async (signals: readonly LookedAt[]): Promise<readonly Said[]> => {
  const own = await ownWords(signals.map(({ text }) => text))
  return signals
    .map((signal, at) => ({
      signal,
      text: own[at] ?? '',
      nothing: signal.classification === 'unclassified' ? signal.confidence : 0,
    }))
    .filter(one => !isLeftOut(one))
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
