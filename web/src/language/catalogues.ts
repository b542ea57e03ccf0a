import parts, { ofService } from 'virtual:messages'
import { addMessages, language, translateService, translateStored, wordFor } from './messages.ts'
import { translatorBy } from './templates.ts'

const OF_THE_FRAME = ''

/** Reads what a part of the app says in the chosen language. What cannot be read stays in English. */
const readMessages = async (part: string): Promise<void> => {
  const read = language === 'en' ? undefined : parts[language]?.[part]
  if (read === undefined) return
  try {
    const { default: catalogue, stored } = await read()
    addMessages(catalogue)
    if (stored !== undefined) translateStored(translatorBy(stored, wordFor))
  } catch {}
}

/** Those of the frame. What the service says is read when it is first shown. */
export const readFirstMessages = (): Promise<void> => {
  const read = language === 'en' ? undefined : ofService[language]
  if (read !== undefined) translateService(read)
  return readMessages(OF_THE_FRAME)
}

/**
 * Loads a screen’s file once its messages are there, since constants of its modules hold some. Each `() => import(…)`
 * of a screen is wrapped in it by the build, `web/messages/by-screen.ts`.
 * @public
 */
export const withMessages = <Part>(part: string, load: () => Promise<Part>): Promise<Part> =>
  language === 'en' ? load() : readMessages(part).then(load)
