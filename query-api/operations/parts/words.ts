import type { HeldTexts } from '../../../model/search/search-texts.ts'
import { counted } from '../../../schemas/domain/for-people.ts'
import { AssayError } from '../define.ts'

/** How long a call waits for a workspace that is read into memory: then it is answered by what is held. */
export const WAIT_MS = 1000

/** Half of what a busy machine was measured to take in, so that most who ask again after that are answered by all. */
const TEXTS_A_SECOND = 4000
const LEAST_SECONDS = 2

/** Where no filter is answered by words. */
export const NO_TEXTS: HeldTexts = {
  isWhole: true,
  isCut: false,
  isReadingOlder: false,
  isReadingNewer: false,
  texts: 0,
  cut: 0,
  stored: 0,
  search: () => [],
  having: () => [],
  remove: () => {},
}

/** What is left out for lack of room is not waited for, nor is what is not counted. */
const secondsToRead = ({ isCut, texts, stored }: HeldTexts): number =>
  isCut || stored === null ? LEAST_SECONDS : LEAST_SECONDS + Math.ceil((stored - texts) / TEXTS_A_SECOND)

/** Which texts are not held, and what to do about it. */
const whatIsMissing = (held: HeldTexts): string => {
  const { isCut, isReadingOlder, isReadingNewer } = held
  const sentences = [
    isCut && 'There is no room in memory for older ones (SEARCH_MEMORY_MB).',
    isCut && 'A list of signals by time, without words, has them too.',
    isReadingOlder && 'Older ones are still being read.',
    isReadingNewer && 'What was written last is still being read.',
    (isReadingOlder || isReadingNewer) && `Ask again in ${secondsToRead(held)} s.`,
  ]
  return sentences.filter(sentence => sentence !== false).join(' ')
}

/**
 * What the caller should know of an answer from words that are not held whole, or of one that not all Signals were
 * compared for by their meaning; null where nothing is missing.
 */
export const partialNote = (held: HeldTexts, isCompared = true): string | null => {
  const { isWhole, texts, stored } = held
  if (isWhole && isCompared) return null
  if (!isWhole && stored === null)
    return `Partial: ${counted(texts, 'text was', 'texts were')} searched. ${whatIsMissing(held)}`
  if (!isWhole)
    return `Partial: ${texts} of about ${counted(stored ?? 0, 'text was', 'texts were')} searched. ${whatIsMissing(held)}`
  return `Partial: the signals are still being compared by meaning. Ask again in ${LEAST_SECONDS} s.`
}

/** Refuses to say that nobody has a value while texts are unread, but for those that the database answers for. */
export const requireRead = (held: HeldTexts): void => {
  const { isWhole, isCut, texts } = held
  if (isWhole || isCut) return
  throw new AssayError(
    'busy',
    `None of the ${counted(texts, 'text that was', 'texts that were')} read has that value. ${whatIsMissing(held)}`,
    {
      retryAfterSeconds: secondsToRead(held),
    },
  )
}
