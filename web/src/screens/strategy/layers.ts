import { STRATEGY_LAYERS, type StrategyLayer } from '../../../../schemas/domain/vocabulary.ts'
import type { Output } from '../../api/client.ts'
import type { MovableList } from '../../parts/moving/list-positions.ts'

export type Element = Output<'orient_strategy'>['items'][number]

interface Words {
  readonly title: string
  readonly about: string
  /** With its article, as in `Add a bet`. */
  readonly one: string
}

export const LAYERS: Readonly<Record<StrategyLayer, Words>> = {
  vision: { title: 'Vision', about: 'What lasts: where the product is going.', one: 'a vision' },
  objective: { title: 'Objectives', about: 'What is to be reached on the way there.', one: 'an objective' },
  bet: { title: 'Bets', about: 'What is tried, to reach an objective.', one: 'a bet' },
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
export const named = ({ title }: Pick<Element, 'title'>): string =>
  `“${title.length > MAX_CHARACTERS ? `${title.slice(0, MAX_CHARACTERS).trimEnd()}…` : title}”`
