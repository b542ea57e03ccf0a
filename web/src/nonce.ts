import { setNonce } from 'get-nonce'

/** What the Content-Security-Policy of this page lets style elements through with; empty where there is no policy, in development. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

/** For the library that keeps the page from scrolling under a dialog, which makes a style element of its own. */
setNonce(nonce)
