/** Languages whose exports write months as words. */
const LANGUAGES = [
  ...['en', 'de', 'de-AT', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'cs', 'sk', 'hu', 'ro', 'hr', 'sl', 'bg', 'ru', 'uk'],
  ...['sv', 'da', 'nb', 'fi', 'et', 'lv', 'lt', 'tr', 'el', 'ca', 'id', 'vi'],
]
const SHAPES = [
  { month: 'short' },
  { month: 'long' },
  { month: 'short', day: 'numeric' },
  { month: 'long', day: 'numeric' },
] as const

const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '')

/** Months by name, alone and behind a day; null for a name that means two months in different languages. */
const namedMonths = (): ReadonlyMap<string, number | null> => {
  const months = new Map<string, number | null>()
  for (const language of LANGUAGES) {
    for (const shape of SHAPES) {
      const format = new Intl.DateTimeFormat(language, { ...shape, timeZone: 'UTC' })
      for (let month = 1; month <= 12; month += 1) {
        const parts = format.formatToParts(Date.UTC(2001, month - 1, 1))
        const name = plain(parts.find(({ type }) => type === 'month')?.value ?? '')
        const known = months.get(name)
        months.set(name, known === undefined || known === month ? month : null)
      }
    }
  }
  return months
}

let known: ReadonlyMap<string, number | null> | undefined

/** Programs cut longer names: four letters tell French June from July. */
const BEGINNINGS = [4, 3]

/** The month with this name or beginning in any of the languages; undefined when there is none, or two. */
export const monthOf = (name: string): number | undefined => {
  known ??= namedMonths()
  const given = plain(name)
  for (const beginning of [given, ...BEGINNINGS.map(letters => given.slice(0, letters))]) {
    const month = known.get(beginning)
    if (month !== undefined) return month ?? undefined
  }
  return undefined
}
