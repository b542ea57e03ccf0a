import { language } from '../../language/language.ts'

const short = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })

export const boost = (value: number): string => `×${short.format(value)}`
