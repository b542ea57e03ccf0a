/** Number of dialogs that were open when the present key was pressed; 0 outside of a key. */
let openAtKey = 0

// Registered when this file loads, before any sheet listens, so that a dialog that closes at the key is still counted.
addEventListener(
  'keydown',
  () => {
    openAtKey = document.querySelectorAll('[role=dialog][aria-modal=true]').length
    setTimeout(() => {
      openAtKey = 0
    })
  },
  true,
)

/**
 * Closes a sheet, except by the Escape that closes a dialog above: every open sheet hears the key. The sheet contains
 * the dialog's opener, which gets the focus back.
 */
export const unlessBeneath = (close: () => void) => (): void => {
  if (openAtKey < 2) close()
}
