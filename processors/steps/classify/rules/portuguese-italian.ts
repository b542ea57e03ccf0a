import type { WordRule } from './word-rule.ts'

export const PORTUGUESE_AND_ITALIAN: readonly WordRule[] = [
  {
    label: 'problem',
    weight: 3,
    words: ['não funciona', 'parou de funcionar', 'non funziona', 'non funzionano', 'ha smesso di funzionare'],
  },
  {
    label: 'problem',
    weight: 2,
    words: [
      'falha',
      'trava',
      'não consigo',
      'não conseguimos',
      'errore',
      'si blocca',
      'non riesco',
      'non riusciamo',
      'impossibile',
      'guasto',
    ],
  },
  {
    label: 'idea',
    weight: 3,
    words: [
      'seria ótimo',
      'seria bom',
      'gostaria de',
      'gostaríamos',
      'sugestão',
      'sarebbe bello',
      'sarebbe utile',
      'vorrei',
      'vorremmo',
      'suggerimento',
    ],
  },
  {
    label: 'question',
    weight: 3,
    words: [
      'como posso',
      'como faço',
      'é possível',
      'onde encontro',
      'come posso',
      'è possibile',
      'dove trovo',
      'qual è',
    ],
  },
]
