import { STRATEGY_LAYERS, type StrategyLayer } from '../../../../schemas/domain/vocabulary.ts'
import type { Output } from '../../api/client.ts'
import { t } from '../../language/messages.ts'
import type { MovableList } from '../../parts/moving/list-positions.ts'

export type Element = Output<'orient_strategy'>['items'][number]

interface Words {
  readonly title: string
  readonly about: string
  /** With its article, as in `Add a bet`. */
  readonly one: string
}

export const LAYERS: Readonly<Record<StrategyLayer, Words>> = {
  vision: { title: t('Vision'), about: t('What lasts: where the product is going.'), one: t('a vision') },
  objective: { title: t('Objectives'), about: t('What is to be reached on the way there.'), one: t('an objective') },
  bet: { title: t('Bets'), about: t('What is tried, to reach an objective.'), one: t('a bet') },
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
  t('“{title}”', { title: title.length > MAX_CHARACTERS ? `${title.slice(0, MAX_CHARACTERS).trimEnd()}…` : title })
