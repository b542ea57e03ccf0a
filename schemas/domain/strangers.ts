import { Type } from 'typebox'

/**
 * Says of a field of an answer, as the standard keyword `$comment`, that strangers wrote what stands in it: senders, their programs, or a
 * model that put their words together. Agents read it between marks; the app and an export have the bare text.
 */
export const FROM_STRANGERS = 'Words of strangers.'

/** A text that strangers wrote. */
export const strangersText = (options: { readonly description?: string } = {}) =>
  Type.String({ ...options, $comment: FROM_STRANGERS })
