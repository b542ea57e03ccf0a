import { STRATEGY_LAYERS, type StrategyLayer } from '../../../../schemas/domain/vocabulary.ts'
import type { Output } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import type { ListPosition, MovableList } from '../../parts/moving/list-positions.ts'

export type Element = Output<'orient_strategy'>['items'][number]

interface Words {
  readonly title: string
  readonly about: string
  /** With its article, as in `Add a bet`. */
  readonly one: string
}

export const LAYERS: Readonly<Record<StrategyLayer, Words>> = {
  vision: { title: t('Vision'), about: t('The long-term direction of the product.'), one: t('a vision') },
  objective: { title: t('Objectives'), about: t('What you want to reach on the way there.'), one: t('an objective') },
  bet: { title: t('Bets'), about: t('What you try in order to reach an objective.'), one: t('a bet') },
}

/** The layers in order, each with its elements. */
export const listsOf = (elements: readonly Element[]): readonly MovableList[] =>
  STRATEGY_LAYERS.map(layer => ({
    id: layer,
    items: elements.filter(element => element.layer === layer).map(({ id }) => id),
  }))

export const layerOf = (list: string): StrategyLayer => STRATEGY_LAYERS.find(layer => layer === list) ?? 'bet'

const MAX_CHARACTERS = 120

/** An element in a sentence: its title, of which a long one is cut. */
export const named = (element: Pick<Element, 'title'>): string => t('“{title}”', { title: shortTitleOf(element) })

export const shortTitleOf = ({ title }: Pick<Element, 'title'>): string =>
  title.length > MAX_CHARACTERS ? `${title.slice(0, MAX_CHARACTERS).trimEnd()}…` : title

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
