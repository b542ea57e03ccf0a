const HAS_FONT = 'assay-font'

/**
 * Shows the page in the app’s own font where this browser has it: `global.css` says from when on. Asked before anything
 * is drawn, so that nothing is drawn twice.
 */
export const showOwnFont = (): void => {
  if (localStorage.getItem(HAS_FONT) !== null) document.documentElement.dataset.font = 'own'
}

/** Reads the app’s own font, for the pages that follow. Where it cannot be read, a later page tries again. */
export const readOwnFont = (): Promise<void> =>
  document.fonts.load('1em Geist').then(
    () => localStorage.setItem(HAS_FONT, 'read'),
    () => {},
  )
