import parts, { ofService } from 'virtual:messages'
import { addMessages, language, translateService, translateStored, wordFor } from './messages.ts'
import { translatorBy } from './templates.ts'

const OF_THE_FRAME = ''

/** Reads a part's messages in the chosen language. Unreadable ones stay in English. */
const readMessages = async (part: string): Promise<void> => {
  const read = language === 'en' ? undefined : parts[language]?.[part]
  if (read === undefined) return
  try {
    const { default: catalogue, stored } = await read()
    addMessages(catalogue)
    if (stored !== undefined) translateStored(translatorBy(stored, wordFor))
  } catch {}
}

/** Messages of the frame. The service's words are read when they are first shown. */
export const readFirstMessages = (): Promise<void> => {
  const read = language === 'en' ? undefined : ofService[language]
  if (read !== undefined) translateService(read)
  return readMessages(OF_THE_FRAME)
}

/**
 * Loads a screen's file after its messages, because constants of its modules contain some. The build
 * (`web/messages/by-screen.ts`) wraps each `() => import(…)` of a screen in this function.
 * @public
 */
export const withMessages = <Part>(part: string, load: () => Promise<Part>): Promise<Part> =>
  language === 'en' ? load() : readMessages(part).then(load)
