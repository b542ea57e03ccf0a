import { useEffect, useState } from 'react'

/**
 * What stands after the # of a link, taken out of the address, so that no history and nobody who looks at the screen
 * has it.
 */
export const useLinkToken = (): string => {
  const [token, setToken] = useState('')
  // Another link in this tab changes nothing but what is after the #.
  useEffect(() => {
    const take = () => {
      if (location.hash === '') return
      setToken(location.hash.slice(1))
      history.replaceState(history.state, '', location.pathname)
    }
    take()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return token
}

const STORED = 'assay-invitation'

/**
 * The token after the # of an invitation’s link, kept by this tab while the person signs in; empty where no link was
 * followed. It is taken out of the address, so that no history and nobody who looks at the screen has it.
 */
export const invitationToken = (): string => {
  const given = location.hash.slice(1)
  if (given === '') return sessionStorage.getItem(STORED) ?? ''
  sessionStorage.setItem(STORED, given)
  history.replaceState(history.state, '', location.pathname)
  return given
}

export const forgetInvitation = (): void => sessionStorage.removeItem(STORED)
