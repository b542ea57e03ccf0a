import type { StrategyLayer } from '../../../../schemas/domain/vocabulary.ts'
import type { ListPosition } from '../../parts/moving/list-positions.ts'
import type { Element } from './layers.ts'

/** A claim or a Solution that an element is linked with. */
export interface Linked {
  readonly type: 'claim' | 'solution'
  readonly reference: string
  readonly title: string
}

/** What somebody wants to do, for which a Decision is asked. */
export type OpenDialog =
  | { readonly what: 'add'; readonly layer: StrategyLayer }
  | { readonly what: 'edit' | 'link' | 'remove'; readonly element: Element }
  | { readonly what: 'move'; readonly element: Element; readonly to: ListPosition }
  | { readonly what: 'unlink'; readonly element: Element; readonly linked: Linked }

/** What was asked, about the element as it is by now: the page reads again while a dialog is open. */
export const refreshDialog = (dialog: OpenDialog, elements: readonly Element[]): OpenDialog => {
  if (dialog.what === 'add') return dialog
  const element = elements.find(({ id }) => id === dialog.element.id) ?? dialog.element
  if (dialog.what !== 'move') return { ...dialog, element }
  const { list, position } = dialog.to
  const others = elements.filter(({ id, layer }) => layer === list && id !== element.id)
  return { ...dialog, element, to: { list, position: Math.min(position, others.length) } }
}
