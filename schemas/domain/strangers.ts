import { Type } from 'typebox'
import { visibleText } from './visible-text.ts'

/**
 * Marks a field of an answer, as the standard keyword `$comment`, as written by strangers: senders, their programs, or
 * a model that combined their words. Agents get such text between marks; the app and exports get the bare text.
 */
export const FROM_STRANGERS = 'Words of strangers.'

/** A text that strangers wrote. */
export const untrustedText = (options: { readonly description?: string } = {}) =>
  Type.String({ ...options, $comment: FROM_STRANGERS })

/**
 * Marks a field as written by a member, an agent that works for one, or the service itself. A text without either mark
 * counts as written by strangers.
 */
export const OWN_WORDS = 'Words of members and of the service.'

/** A text that a member, an agent that works for one, or the service itself wrote. */
export const ownText = (options: { readonly description?: string } = {}) =>
  Type.String({ ...options, $comment: OWN_WORDS })

/**
 * Characters around strangers' text for agents, a token each. Inside they are replaced by < and >, so that no text can
 * end its marks.
 */
export const MARKS = { opening: '‹', closing: '›' } as const

const INNER: Readonly<Record<string, string>> = { [MARKS.opening]: '<', [MARKS.closing]: '>' }

/** The text between marks; an empty text stays empty. */
export const betweenMarks = (text: string): string =>
  text === '' ? text : `${MARKS.opening}${text.replace(/[‹›]/g, found => INNER[found] ?? '')}${MARKS.closing}`

const LONGEST_IN_A_SENTENCE = 200

/**
 * Strangers' text in a sentence of ours, such as a refusal, where no schema marks it: visible characters, one line, cut
 * at 200 characters.
 */
export const quotedStrangers = (text: string): string => {
  const line = JSON.stringify(visibleText(text)).slice(1, -1)
  return betweenMarks(line.length > LONGEST_IN_A_SENTENCE ? `${line.slice(0, LONGEST_IN_A_SENTENCE)}…` : line)
}
