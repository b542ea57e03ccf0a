import { t } from '../language/messages.ts'

const ON_MAC = typeof navigator !== 'undefined' && navigator.platform.startsWith('Mac')

const NAMES: Readonly<Record<string, string>> = {
  mod: ON_MAC ? '⌘' : t('Ctrl [key]'),
  shift: t('Shift [key]'),
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageUp: t('Page up [key]'),
  PageDown: t('Page down [key]'),
  Home: t('Home [key]'),
  End: t('End [key]'),
  Enter: t('Enter [key]'),
  Escape: t('Esc [key]'),
  Delete: t('Del [key]'),
}

/**
 * What stands on the keys of a chord, in the order in which they are pressed: `J` is Shift and J, `g c` is G and then
 * C.
 */
export const keycapsOf = (chord: string): readonly string[] =>
  chord.split(' ').flatMap(keys =>
    keys.split(/\+(?=.)/).flatMap(key => {
      if (NAMES[key] !== undefined) return [NAMES[key]]
      return /^\p{Lu}$/u.test(key) ? [NAMES.shift ?? '', key] : [key.length === 1 ? key.toUpperCase() : key]
    }),
  )
