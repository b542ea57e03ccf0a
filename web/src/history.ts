import { UNSAFE_createBrowserHistory as createBrowserHistory, createPath, type To } from 'react-router'
import { addressIn } from '../../schemas/http/workspace-address.ts'
import { nameWorkspace, pathInApp } from './api/addresses.ts'

const browser = createBrowserHistory({ v5Compat: true })

const inApp = <Place extends { readonly pathname: string }>(place: Place): Place => ({
  ...place,
  pathname: pathInApp(place.pathname),
})

/**
 * The browser’s history for the pages of a workspace: screens know addresses such as `/app/claims`; the browser, what
 * it keeps, and the `href` of every link have them in the workspace. Another slug is another history, so that links
 * are drawn anew.
 */
export const createHistory = (slug: string | null): typeof browser => {
  const named = (to: To): string => addressIn(slug, typeof to === 'string' ? to : createPath(to))
  return {
    get action() {
      return browser.action
    },
    get location() {
      return inApp(browser.location)
    },
    createHref: named,
    createURL: browser.createURL,
    encodeLocation: browser.encodeLocation,
    push: (to, state) => browser.push(named(to), state),
    replace: (to, state) => browser.replace(named(to), state),
    go: browser.go,
    listen: hear =>
      browser.listen(update => {
        nameWorkspace()
        hear({ ...update, location: inApp(update.location) })
      }),
  }
}
