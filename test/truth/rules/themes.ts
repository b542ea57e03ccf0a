import type { Rule } from '../rules.ts'

/** Which signals a theme has, nobody said. */
export const THEME_RULES: readonly Rule[] = [
  {
    numbers: /^(list_themes|lookup_theme)\./,
    because: 'A computation found the themes: themes.test.ts compares its figures with what is in them.',
  },
  {
    numbers: /^update_theme\.answers$/,
    because: 'It says what one call changed: update-theme.test.ts compares it with what was sent.',
  },
]
