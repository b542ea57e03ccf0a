import type { HeldTexts } from '../../../model/search/search-texts.ts'
import { type SignalSelection, selectSignals } from '../../../model/signals/select-signals.ts'
import { counted } from '../../../schemas/domain/for-people.ts'
import type { Transaction } from '../define.ts'
import { numberNamedIn } from './signal-filters.ts'

/** Counts of filtered lists end here. */
export const MAX_COUNTED = 10_000
/** Listed signals when none has all of the words. */
const MAX_NEAR = 200

type List = Awaited<ReturnType<typeof selectSignals>>

/** A list, and a note when its signals match in another way than the filters ask. */
interface Matching {
  readonly list: List
  readonly how: string | null
  /** True when none has all of the words: these have some. */
  readonly hasSomeWords?: boolean
}

const OF_REPEATS =
  'No Signal matches by itself: these are the originals of repeats that do, which mode repeats with an id answers.'
const SOME_WORDS = `None has all of the words: these have some of them, at most ${MAX_NEAR}.`

/**
 * The matching signals. If none matches itself, the signals with a matching repeat. If none has all of the words of
 * `text`, the signals with some of them.
 */
export const listOfMatching = async (
  transaction: Transaction,
  selected: SignalSelection,
  { text }: { readonly text?: string },
  held: HeldTexts,
): Promise<Matching> => {
  const number = text === undefined ? undefined : numberNamedIn(text)
  const bySender = [selected.source, selected.actorNames, selected.events].some(given => given !== undefined)
  const hasSender = bySender || (selected.metadata ?? []).length > 0
  const among = (ids: readonly string[]): SignalSelection => ({ ...selected, among: [ids, ...(selected.among ?? [])] })
  const listed = async (selection: SignalSelection): Promise<Matching> => {
    const list = await selectSignals(transaction, selection)
    if (!hasSender) return { list, how: null }
    const ofRepeats = await selectSignals(transaction, { ...selection, of: 'repeats' })
    const more = await ofRepeats.count(MAX_COUNTED)
    if (more === 0) return { list, how: null }
    return (await list.count(1)) === 0 ? { list: ofRepeats, how: OF_REPEATS } : { list, how: andRepeats(more) }
  }
  if (text === undefined) return listed(selected)
  if (number !== undefined) return listed({ ...selected, number })

  const all = await listed(among(held.having(text, 'signal', MAX_COUNTED)))
  const count = await all.list.count(MAX_COUNTED)
  if (count === 0) {
    // A list shows only the signal's own text, so matches in its cuts are left out.
    const near = held.search(text, ['signal'], MAX_NEAR).filter(({ field }) => field !== 'cut')
    const some = await listed(among(near.map(({ id }) => id)))
    return (await some.list.count(1)) === 0 ? some : { ...some, how: said(SOME_WORDS, some.how), hasSomeWords: true }
  }
  const of = all.how === OF_REPEATS ? 'repeats' : 'signals'
  const written = { ...among(held.having(text, 'signal', MAX_COUNTED, 'as written')), of } as const
  const exact = await (await selectSignals(transaction, written)).count(MAX_COUNTED)
  return exact >= count ? all : { ...all, how: said(asWritten(exact, count), all.how) }
}

const said = (...sentences: readonly (string | null)[]): string => sentences.filter(one => one !== null).join(' ')

const asWritten = (exact: number, count: number): string =>
  exact === 0
    ? 'None has the words as written: these have longer words that begin so, or ones spelled nearly so.'
    : `${exact} of ${count} have the words as written; the others longer words that begin so, or ones spelled nearly so.`

const andRepeats = (more: number): string =>
  `Beside these, ${counted(more, 'Signal')} had repeats that match: mode search with the name finds them.`
