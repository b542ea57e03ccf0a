/** Where to sign in, and to come back from to the address of the app where the person was. */
export const signInAddress = (back: string): string =>
  back === '/app' ? '/sign-in' : `/sign-in?back=${encodeURIComponent(back)}`
