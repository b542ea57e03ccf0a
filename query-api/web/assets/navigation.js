import { element, post } from './api.js'

const PAGES = [
  ['Triage', '/app/triage'],
  ['Proposals', '/app/proposals'],
  ['Claims', '/app/claims'],
  ['Pipeline', '/app/pipeline'],
  ['Settings → Sources', '/app/settings/sources'],
  ['Settings → Account → Connect agents', '/app/settings/connect-agents'],
]

const signOut = async () => {
  await post('/api/auth/sign-out', {})
  location.assign('/sign-in')
}

/**
 * Fills in the header of a page behind the sign-in and opens the page for use: until its script runs, a form would be sent by the browser
 * itself. `current` is the page of the navigation that it belongs to.
 */
export const startPage = (current = location.pathname) => {
  const links = PAGES.map(([title, address]) =>
    element('a', { href: address, ...(address === current && { 'aria-current': 'page' }) }, title),
  )
  document
    .querySelector('header')
    .append(
      element('a', { class: 'brand', href: '/app' }, 'Assay'),
      element('nav', { 'aria-label': 'Main' }, ...links),
      element('button', { type: 'button', click: signOut }, 'Sign out'),
    )
  document.querySelector('main').inert = false
}
