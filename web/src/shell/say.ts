/** The event by which `say` reaches the part of the page that a screen reader listens to. */
export const SAID = 'assay-said'

/**
 * Has a screen reader say what others see: an answer that came without a notice, and without the focus going anywhere.
 */
export const say = (text: string): void => {
  dispatchEvent(new CustomEvent<string>(SAID, { detail: text }))
}
