import type { HeldTexts, SearchTexts } from '../../../model/search/search-texts.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { AssayError } from '../define.ts'

/** How long a call waits for a workspace that is read into memory: then it is answered by what is held. */
export const WAIT_MS = 1000

const ASK_AGAIN_SECONDS = 20

/** The words of the workspace, taken in until now. */
export interface Words {
  readonly texts: SearchTexts
  readonly workspaceId: WorkspaceId
  readonly held: HeldTexts
}

/** What the caller should know of an answer from words that are not held whole; null where they are. */
export const partialNote = ({ isWhole, isCut, texts }: HeldTexts): string | null => {
  if (isWhole) return null
  return isCut
    ? `Partial: the search holds the newest ${texts} texts of the workspace, for this installation has no room for more (SEARCH_MEMORY_MB).`
    : `Partial: since this program started it has read the newest ${texts} texts of the workspace, and none of older Signals yet. Ask again in ${ASK_AGAIN_SECONDS} s for all.`
}

/** Refuses to say that nobody has a value while older texts are still unread. */
export const requireRead = ({ held: { isWhole, isCut, texts } }: Words): void => {
  if (isWhole || isCut) return
  throw new AssayError(
    'busy',
    `None of the newest ${texts} texts of the workspace has that value. Older ones are still being read, since this program started a moment ago. Ask again in ${ASK_AGAIN_SECONDS} s.`,
    { retryAfterSeconds: ASK_AGAIN_SECONDS },
  )
}
