/** The address of the sign-in page, which leads back to `back` in the app. */
export const signInAddress = (back: string): string =>
  back === '/app' ? '/sign-in' : `/sign-in?back=${encodeURIComponent(back)}`
