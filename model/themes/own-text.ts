import { hashWord } from '../../infra/word-index/terms.ts'
import { withoutFrame } from '../duplicates/wording/wording.ts'
import { joinPassages, passagesOf, READ_CHARACTERS } from './passages.ts'
import { isShared, type SharedPassages } from './shared-passages.ts'

/** A text that loses less is embedded as a whole: its vector would hardly change. */
const LEAST_OWN_SHARE = 0.97

/** What a signal's vector is made of. */
export interface OwnText {
  readonly text: string
  /** Hash of the own part; 0 when `text` is the whole text. */
  readonly hash: number
}

/** The own part of a text, if enough is left out that its vector would change. */
export const ownTextOf = (whole: string, own: string): OwnText =>
  own === '' || own.length >= Math.min(whole.length, READ_CHARACTERS) * LEAST_OWN_SHARE
    ? { text: whole, hash: 0 }
    : { text: own, hash: hashWord(own) || 1 }

/**
 * The text that a signal's vector is made of: without its greeting and signature, and without passages that unlike
 * signals of the workspace share. It is the whole text before the workspace's themes were computed.
 */
export const textToEmbed = (whole: string, shared: SharedPassages | undefined): OwnText => {
  if (shared === undefined) return { text: whole, hash: 0 }
  const passages = passagesOf(withoutFrame(whole.slice(0, READ_CHARACTERS)).join('\n'))
  return ownTextOf(whole, joinPassages(passages.filter(passage => !isShared(passage, shared))))
}
