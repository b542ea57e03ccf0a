import { addressIn, slugOfAddress, withoutWorkspace } from '../../../schemas/http/workspace-address.ts'
import { createWatchers } from '../watchers.ts'

const { tell, watch } = createWatchers()

/** Workspace of a page whose address names none. */
let found: string | null = null

/** Slug of the page's workspace; null before it is known. Another workspace means another page. */
export const shownWorkspace = (): string | null => slugOfAddress(location.pathname) ?? found

export const watchShownWorkspace = watch

/** An address within the app, without its workspace and final slash: `/app/claims/CLM-2`. */
export const pathInApp = (pathname = location.pathname): string => withoutWorkspace(pathname).replace(/\/$/, '')

/** List screens of detail screens, when their names differ. */
const LISTS: Readonly<Record<string, string>> = { signals: 'triage', solutions: 'board' }
const ONE_OF = /^\/app\/(claims|decisions|groups|reviews|settings\/sources|signals|solutions|themes)\/./

/** The list screen of a detail page; null for other pages. */
export const listAbove = (path: string): string | null => {
  const [, screen = ''] = ONE_OF.exec(path) ?? []
  return screen === '' ? null : `/app/${LISTS[screen] ?? screen}`
}

/** Adds the workspace to an address without one, so that a copied address leads everybody to the same page. */
export const nameWorkspace = (): void => {
  const here = `${location.pathname}${location.search}${location.hash}`
  const named = addressIn(found, here)
  if (named !== here) history.replaceState(history.state, '', named)
}

/** Called when the service's answer has named the workspace. */
export const showWorkspace = (slug: string): void => {
  found = slug
  nameWorkspace()
  tell()
}
