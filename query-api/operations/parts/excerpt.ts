import { Type } from 'typebox'
import { nullable } from './fields.ts'

/** A text that may be cut, which then says so and how to get the rest. */
export const cut = nullable(
  Type.Object({
    shown: Type.Integer({ description: 'Characters shown.' }),
    of: Type.Integer({ description: 'Characters in all.' }),
    rest: Type.String({ description: 'The call that answers the whole text.' }),
  }),
)

export interface Excerpt {
  readonly text: string
  readonly text_cut: { readonly shown: number; readonly of: number; readonly rest: string } | null
}

/** The text's first `maximum` characters (Unicode code points); `rest` names the call that gives all of it. */
export const excerpt = (text: string, maximum: number, rest: string): Excerpt => {
  // A code point takes at most two UTF-16 units, so a text this short needs no counting.
  if (text.length <= maximum) return { text, text_cut: null }
  const characters = Array.from(text)
  if (characters.length <= maximum) return { text, text_cut: null }
  return {
    text: characters.slice(0, maximum).join(''),
    text_cut: { shown: maximum, of: characters.length, rest },
  }
}

/** The beginning of a name in a list, without saying that it is cut: the object has all of it. */
export const shortened = (text: string, maximum: number): string => Array.from(text).slice(0, maximum).join('')
