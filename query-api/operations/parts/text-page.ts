import { sha256 } from '../../../infra/runtime/secrets.ts'
import { decodeCursor, nextCursor } from './cursor.ts'
import { type Excerpt, excerptWithin } from './excerpt.ts'

export interface TextPage extends Excerpt {
  /** Continues the text; null at its end. */
  readonly nextCursor: string | null
}

/**
 * A text from the cursor on, as much as the tokens hold. `name` says which text and which version of it, since a cursor of another is
 * refused; `rest` names the call that goes on. Throws `invalid_input` for a cursor that is not this text's.
 */
export const textPage = (
  text: string,
  name: string,
  { cursor, now, tokens, rest }: { cursor: string | undefined; now: Date; tokens: number; rest: string },
): TextPage => {
  const list = Buffer.from(sha256(name)).toString('base64url').slice(0, 16)
  const position = decodeCursor(list, cursor, now)
  const characters = Array.from(text)
  const left = position.offset === 0 ? text : characters.slice(position.offset).join('')
  const excerpt = excerptWithin(left, tokens, rest)
  const shown = Array.from(excerpt.text).length
  return { ...excerpt, nextCursor: nextCursor(list, position, shown, characters.length) }
}
