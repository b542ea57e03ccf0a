import { language } from '../language/language.ts'

const twoPlaces = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const shares = [0, 1, 2].map(digits => new Intl.NumberFormat(language, { maximumFractionDigits: digits }))

/** What is between none and all of something: a share, a chance, how sure or how alike. `86 %`; a dash where it is not known. */
export const percent = (value: number | null, digits: 0 | 1 | 2 = 0): string =>
  value === null ? '–' : `${shares[digits]?.format(value * 100)} %`

/** An evidence priority, and what it is made of: with two places always, so that a column lines up. */
export const priority = (value: number): string => twoPlaces.format(value)
