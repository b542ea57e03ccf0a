import type { Rule } from '../rules.ts'

/** Which signals a theme has, nobody said. */
export const THEME_RULES: readonly Rule[] = [
  {
    numbers: /^(list_themes|lookup_theme)\./,
    because: 'A computation found the themes: themes.test.ts compares its figures with what is in them.',
  },
  {
    numbers: /^(list_proposed_places|add_map_nodes|place_signals|list_likely_same)\./,
    because: 'A model says which node is near: bulk.test.ts compares what is named and placed with what is there.',
  },
  {
    numbers: /^update_theme\.answers$/,
    because: 'It says what one call changed: update-theme.test.ts compares it with what was sent.',
  },
]
