/** The first letters of month names, without accents, in the languages in which mail programs write headers. */
const MONTHS: readonly RegExp[] = [
  /^(jan|gen|ene|sty|янв|led|oca|tammi)/,
  /^(feb|fev|febb|lut|фев|uno|sub|helmi)/,
  /^(mar|maa|mrz|mrt|мар|bre)/,
  /^(apr|avr|abr|kwi|апр|dub|nis|huhti)/,
  /^(may|mai|mag|mei|maj|мая|май|kve|touko)/,
  /^(jun|juin|giu|cze|июн|haz|kesa|cer(?!venec))/,
  /^(jul|juil|lug|lip|июл|tem|heina|cervenec)/,
  /^(aug|aou|ago|sie|авг|srp|agu|elo)/,
  /^(sep|set|wrz|сен|zar|eyl|syys)/,
  /^(oct|okt|ott|out|paz|окт|rij|eki|loka)/,
  /^(nov|lis|ноя|kas|marras)/,
  /^(dec|dez|dic|des|gru|дек|pro|ara|joulu)/,
]

/** Offsets in minutes of zone names that mean the same everywhere. */
const ZONES: Readonly<Record<string, number>> = {
  Z: 0,
  UT: 0,
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 60,
  CET: 60,
  MEZ: 60,
  CEST: 120,
  MESZ: 120,
  EET: 120,
  EEST: 180,
  MSK: 180,
  JST: 540,
  KST: 540,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
}

const TIME =
  /(?<hour>\d{1,2})[:.h時时](?<minute>\d\d)(?:[:.](?<second>\d\d))?[^\S\n]*(?<half>[ap]\.?m\.?)?(?:[^\S\n]*\(?(?<zone>(?:GMT|UTC)?[+-]\d{1,2}:?\d{0,2}|[A-Z]{1,4})\b)?/i

/**
 * A date from a header or above a quote, in milliseconds since the epoch; without a zone it counts as UTC. Null when
 * the date is ambiguous: `3/4/2025` is March 4 or April 3.
 */
export const parseWrittenDate = (written: string): number | null => {
  const text = written.slice(0, 200)
  const date = findDate(text)
  if (date === null) return null
  const { hour = '0', minute = '0', second = '0', half, zone } = TIME.exec(date.rest)?.groups ?? {}
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0)
  const offset = offsetOf(zone)
  if (hours > 23 || Number(minute) > 59 || Number(second) > 60 || offset === null) return null
  const at = Date.UTC(date.year, date.month - 1, date.day, hours, Number(minute), Number(second))
  const real = new Date(Date.UTC(date.year, date.month - 1, date.day))
  return real.getUTCMonth() === date.month - 1 ? at - offset * 60_000 : null
}

interface FoundDate {
  readonly year: number
  readonly month: number
  readonly day: number
  /** The text without the date. */
  readonly rest: string
}

const NUMERIC = [
  /(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})T?/,
  /(?<year>\d{4})[年/.]\s?(?<month>\d{1,2})[月/.]\s?(?<day>\d{1,2})日?\.?/,
  /(?<year>\d{4})년\s?(?<month>\d{1,2})월\s?(?<day>\d{1,2})일/,
  /(?<!\d)(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})/,
]
const NAMED = [
  /(?<!\d)(?<day>\d{1,2})(?:st|nd|rd|th|er|º)?\.?(?:\s+de)?[\s-]+(?<name>\p{L}{3,})\.?,?(?:\s+de)?[\s-]+(?<year>\d{4})/u,
  /(?<!\p{L})(?<name>\p{L}{3,})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})/u,
]

const findDate = (text: string): FoundDate | null => {
  for (const form of [...NUMERIC, ...NAMED]) {
    const match = form.exec(text)
    if (!match?.groups) continue
    const { year, month, day, name } = match.groups
    const number = name === undefined ? Number(month) : monthNumber(name)
    if (number < 1 || number > 12 || Number(day) > 31) continue
    return { year: Number(year), month: number, day: Number(day), rest: text.slice(match.index + match[0].length) }
  }
  return null
}

/** 0 for a word that is no month. */
const monthNumber = (name: string): number => {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return MONTHS.findIndex(month => month.test(plain)) + 1
}

/** Minutes; 0 without a zone, null for an unknown zone. */
const offsetOf = (zone: string | undefined): number | null => {
  if (zone === undefined) return 0
  const [, sign, hours, minutes = '0'] = /^(?:GMT|UTC)?([+-])(\d{1,2}):?(\d\d)?$/i.exec(zone) ?? []
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  return ZONES[zone.toUpperCase()] ?? null
}
