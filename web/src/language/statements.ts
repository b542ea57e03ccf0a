import { filled, t, word } from './messages.ts'
import { isOwn } from './templates.ts'

/** A default statement of the app for a Decision. */
export interface Statement {
  /** In the language of the deciding person. */
  readonly shown: string
  /** In English: each reader's language translates its message with the values. */
  readonly stored: string
}

/**
 * A value whose name begins with `said` is a word of a vocabulary, such as a state; other values are not translated.
 */
export const statement = (message: string, values: Readonly<Record<string, string | number>> = {}): Statement => ({
  shown: t(
    message,
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, isOwn(name) ? word(String(value)) : value]),
    ),
  ),
  stored: filled(message, values),
})
