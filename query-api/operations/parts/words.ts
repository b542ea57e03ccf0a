import type { HeldTexts } from '../../../model/search/search-texts.ts'
import { counted } from '../../../schemas/domain/for-people.ts'
import { AssayError } from '../define.ts'

/** Longest wait for a workspace that is being loaded into memory; then the loaded part answers. */
export const WAIT_MS = 1000

/** Half of the measured rate on a busy machine, so that most callers who wait this long get a complete answer. */
const TEXTS_A_SECOND = 4000
const LEAST_SECONDS = 2

/** For filters that need no words. */
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

/** Texts beyond the memory, and uncounted texts, do not extend the wait. */
const secondsToRead = ({ isCut, texts, stored }: HeldTexts): number =>
  isCut || stored === null ? LEAST_SECONDS : LEAST_SECONDS + Math.ceil((stored - texts) / TEXTS_A_SECOND)

/** The missing texts, and what to do about them. */
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
 * A note on an answer from incomplete texts, or from an incomplete comparison by meaning; null when nothing is missing.
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

/**
 * Throws `busy` while texts are unread, because an unread one may have the value. Older texts beyond the memory do not
 * count: the database answers for them.
 */
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
