import { language } from '../language/language.ts'
import { t } from '../language/messages.ts'

const UNITS = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })

/** A time as people say it: `3 hr. ago`, `yesterday`, `in 2 days`; below a minute, `just now`. */
export const relative = (date: Date, now: Date): string => {
  const difference = date.getTime() - now.getTime()
  const [unit, milliseconds] = UNITS.find(([, each]) => Math.abs(difference) >= each) ?? []
  return unit === undefined ? t('just now') : format.format(Math.trunc(difference / milliseconds), unit)
}
