/**
 * Personal data of every kind, of which each place that it is sent to has its own: what is found tells where it came
 * from.
 */
export interface Planted {
  readonly place: string
  readonly email: string
  readonly phone: string
  readonly card: string
  readonly nationalId: string
  readonly ipv4: string
  readonly ipv6: string
  /** All of it in a sentence. */
  readonly words: string
}

/** The last digit of a card's number (ISO/IEC 7812, Luhn). */
const checkDigit = (digits: string): number => {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return (10 - (sum % 10)) % 10
}

const FIRST = 100

/** Addresses and numbers that belong to nobody: reserved for documentation and drama, or of no issuer’s customer. */
const plantedAt = (place: string, number: number): Planted => {
  const email = `planted.${place}@example.com`
  const phone = `+44 20 7946 0${number}`
  const digits = `400000000000${number}`
  const card = `${digits}${checkDigit(digits)}`.replace(/(?<=\d)(?=(?:\d{4})+$)/g, ' ')
  const nationalId = `536-90-4${number}`
  const ipv4 = `203.0.113.${number}`
  const ipv6 = `2a00:1450:4001:${number}::200e`
  const words = `Write to ${email} or call ${phone}, my card ${card} was charged twice, SSN ${nationalId}, from ${ipv4} and ${ipv6}.`
  return { place, email, phone, card, nationalId, ipv4, ipv6, words }
}

const digitsOf = (number: string): string => number.replace(/\D/g, '')

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** As a value may stand in a store, lower case: as it was sent, in other writings, percent-encoded and in base64. */
const writingsOf = ({
  email,
  phone,
  card,
  nationalId,
  ipv4,
  ipv6,
}: Planted): Readonly<Record<string, readonly string[]>> => {
  const [localPart = ''] = email.split('@')
  const base64 = Buffer.from(email).toString('base64').replace(/=+$/, '')
  const lastOfPhone = phone.slice(-9)
  const between = (number: string) => ['-', '.', '%20', '%2b', '+'].map(sign => number.replaceAll(/[ -]/g, sign))
  return {
    email: [localPart, base64],
    phone: [lastOfPhone, ...between(lastOfPhone), digitsOf(phone).slice(2)],
    card: [card, ...between(card), digitsOf(card)],
    national_id: [nationalId, ...between(nationalId), digitsOf(nationalId)],
    ipv4: [ipv4],
    ipv6: [ipv6, ipv6.replaceAll(':', '%3a'), ipv6.replaceAll(':', '%253a')],
  }
}

export interface Garden {
  /** Personal data of its own for a place. */
  plant(place: string): Planted
  /** What of it is in a text, each as its place and kind. */
  foundIn(haystack: string): readonly string[]
}

export const createGarden = (): Garden => {
  const planted = new Map<string, Planted>()
  return {
    plant: place => {
      if (planted.has(place)) throw new TypeError(`Something is planted at ${place} already.`)
      const data = plantedAt(place, FIRST + planted.size)
      planted.set(place, data)
      return data
    },
    foundIn: haystack => {
      const text = haystack.toLowerCase()
      return [...planted.values()].flatMap(data =>
        Object.entries(writingsOf(data))
          .filter(([, writings]) => writings.some(writing => occursIn(text, writing.toLowerCase())))
          .map(([kind]) => `${kind} of ${data.place}`),
      )
    },
  }
}

/** Digits alone count where a number begins: the middle of a longer one, such as a vector's part, is no finding. */
const occursIn = (text: string, writing: string): boolean =>
  text.includes(writing) && (!/^\d+$/.test(writing) || new RegExp(`(?<![\\d.])(?:0|44)?${escaped(writing)}`).test(text))
