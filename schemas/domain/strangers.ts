import { Type } from 'typebox'
import { visibleText } from './visible-text.ts'

/**
 * Says of a field of an answer, as the standard keyword `$comment`, that strangers wrote what stands in it: senders,
 * their programs, or a model that put their words together. Agents read it between marks; the app and an export have
 * the bare text.
 */
export const FROM_STRANGERS = 'Words of strangers.'

/** A text that strangers wrote. */
export const strangersText = (options: { readonly description?: string } = {}) =>
  Type.String({ ...options, $comment: FROM_STRANGERS })

/**
 * Says, as `FROM_STRANGERS` does, that a member, an agent that works for one, or the service itself wrote what stands
 * in a field. Every text of an answer says whose it is, or agents read it between marks.
 */
export const OWN_WORDS = 'Words of members and of the service.'

/** A text that a member, an agent that works for one, or the service itself wrote. */
export const ownText = (options: { readonly description?: string } = {}) =>
  Type.String({ ...options, $comment: OWN_WORDS })

/**
 * Stand around what strangers wrote, a token each; within it they are written as < and >, so that no text ends its own
 * marks.
 */
export const MARKS = { opening: '‹', closing: '›' } as const

const INNER: Readonly<Record<string, string>> = { [MARKS.opening]: '<', [MARKS.closing]: '>' }

/** The text between marks; what is empty stays so. */
export const betweenMarks = (text: string): string =>
  text === '' ? text : `${MARKS.opening}${text.replace(/[‹›]/g, found => INNER[found] ?? '')}${MARKS.closing}`

const LONGEST_IN_A_SENTENCE = 200

/**
 * The words of strangers within a sentence of ours, such as a refusal, for which no schema says what is whose: visible,
 * in one line, cut.
 */
export const quotedStrangers = (text: string): string => {
  const line = JSON.stringify(visibleText(text)).slice(1, -1)
  return betweenMarks(line.length > LONGEST_IN_A_SENTENCE ? `${line.slice(0, LONGEST_IN_A_SENTENCE)}…` : line)
}
