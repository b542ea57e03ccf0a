import type { WordRule } from './word-rule.ts'

export const DUTCH_AND_POLISH: readonly WordRule[] = [
  { label: 'problem', weight: 3, words: ['werkt niet', 'doet het niet', 'nie działa', 'przestał', 'nie działają'] },
  {
    label: 'problem',
    weight: 2,
    words: [
      'foutmelding',
      'fout',
      'loopt vast',
      'kan niet',
      'kapot',
      'błąd',
      'awaria',
      'nie mogę',
      'nie możemy',
      'zawiesza',
    ],
  },
  {
    label: 'idea',
    weight: 3,
    words: [
      'het zou fijn zijn',
      'het zou handig zijn',
      'zou graag',
      'zouden graag',
      'suggestie',
      'byłoby świetnie',
      'byłoby miło',
      'proszę dodać',
      'propozycja',
    ],
  },
  {
    label: 'question',
    weight: 3,
    words: ['hoe kan ik', 'is het mogelijk', 'waar vind ik', 'jak mogę', 'czy można', 'czy jest możliw', 'gdzie znajd'],
  },
]
