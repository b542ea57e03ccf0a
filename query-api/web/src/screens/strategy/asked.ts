import type { StrategyLayer } from '../../../../../schemas/domain/vocabulary.ts'
import type { Spot } from '../../parts/moving/spots.ts'
import type { Element } from './layers.ts'

/** A claim or a Solution that an element is linked with. */
export interface Linked {
  readonly type: 'claim' | 'solution'
  readonly reference: string
  readonly title: string
}

/** What somebody wants to do, for which a Decision is asked. */
export type Asked =
  | { readonly what: 'add'; readonly layer: StrategyLayer }
  | { readonly what: 'edit' | 'link' | 'remove'; readonly element: Element }
  | { readonly what: 'move'; readonly element: Element; readonly to: Spot }
  | { readonly what: 'unlink'; readonly element: Element; readonly linked: Linked }

/** What was asked, about the element as it is by now: the page reads again while a dialog is open. */
export const asNow = (asked: Asked, elements: readonly Element[]): Asked => {
  if (asked.what === 'add') return asked
  const element = elements.find(({ id }) => id === asked.element.id) ?? asked.element
  if (asked.what !== 'move') return { ...asked, element }
  const { list, place } = asked.to
  const others = elements.filter(({ id, layer }) => layer === list && id !== element.id)
  return { ...asked, element, to: { list, place: Math.min(place, others.length) } }
}
