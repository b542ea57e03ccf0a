import { introducing } from '../context.ts'
import { isDate, isDayFirstDate, type NationalScheme, passesLuhn, passesMod1110, weightedSum } from '../digits.ts'

/** CNP: sex and century, a date, a county, modulus 11 with 10 as 1 (Romania, OUG 97/2005). */
const isRomanian = (digits: string): boolean => {
  const rest = weightedSum(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11
  const born = isDate(2000 + Number(digits.slice(1, 3)), Number(digits.slice(3, 5)), Number(digits.slice(5, 7)))
  return born && (rest === 10 ? 1 : rest) === Number(digits[12])
}

/** EGN: a date, 20 or 40 more in the month for other centuries, modulus 11 with 10 as 0 (Bulgaria, GRAO). */
const isBulgarian = (digits: string): boolean => {
  const born = isDate(2000 + Number(digits.slice(0, 2)), Number(digits.slice(2, 4)) % 20, Number(digits.slice(4, 6)))
  return born && (weightedSum(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === Number(digits[9])
}

const balkans: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])[1-9]\d{12}(?![\w-])/g,
    isValid: isRomanian,
    countries: ['RO', 'MD'],
    introducedBy: introducing('cnp|cod(?:ul)? numeric personal'),
  },
  {
    written: /(?<![\w.-])\d{10}(?![\w-])/g,
    isValid: isBulgarian,
    countries: ['BG'],
    introducedBy: introducing('egn|егн'),
  },
  // OIB (Croatia): ISO/IEC 7064 MOD 11,10 and no other form, so one number in ten passes.
  {
    written: /(?<![\w.-])\d{11}(?![\w-])/g,
    isValid: passesMod1110,
    countries: ['HR'],
    introducedBy: introducing('oib'),
  },
]

/**
 * Rodné číslo: a date, 50 more in a woman's month and sometimes 20 in anyone's, and a multiple of 11 (Act 133/2000,
 * section 13).
 */
const isCzechOrSlovak = (digits: string): boolean => {
  const month = Number(digits.slice(2, 4)) % 50
  const born = isDate(2000 + Number(digits.slice(0, 2)), month > 20 ? month - 20 : month, Number(digits.slice(4, 6)))
  const first = Number(digits.slice(0, 9)) % 11
  return born && (first === 10 ? 0 : first) === Number(digits[9])
}

const czechiaSlovakia: readonly NationalScheme[] = [
  { written: /(?<![\w./-])\d{6}\/\d{4}(?![\w/-])/g, isValid: isCzechOrSlovak },
  {
    written: /(?<![\w.-])\d{10}(?![\w-])/g,
    isValid: isCzechOrSlovak,
    countries: ['CZ', 'SK'],
    introducedBy: introducing('rodn[ée] [čc][íi]sl[oa]|r\\.? ?[čc]\\.?'),
  },
]

/** AMKA: a date and a Luhn digit (law 3655/2008). */
const greece: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])\d{11}(?![\w-])/g,
    isValid: digits => isDayFirstDate(digits.slice(0, 6)) && passesLuhn(digits),
    countries: ['GR'],
    introducedBy: introducing('αμκα|amka'),
  },
]

/** Values of characters at odd places, from 0 and A on (Ministry decree of 23 December 1976). */
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

const placeValue = (character: string): number =>
  /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 'A'.charCodeAt(0)

const isItalian = (compact: string): boolean => {
  const sum = Array.from(compact.slice(0, 15)).reduce((total, character, index) => {
    const value = placeValue(character)
    return total + (index % 2 === 0 ? (ODD[value] ?? 0) : value)
  }, 0)
  return String.fromCharCode('A'.charCodeAt(0) + (sum % 26)) === compact.at(-1)
}

/** Codice fiscale. Letters replace digits where two people would share a code. */
const italy: readonly NationalScheme[] = [
  {
    written: /(?<!\w)[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z](?!\w)/gi,
    isValid: isItalian,
  },
]

/** Century by the number added to the month: 80 for 1800, 0 for 1900, 20 for 2000. Later ones are not issued yet. */
const CENTURIES: ReadonlyMap<number, number> = new Map([
  [4, 1800],
  [0, 1900],
  [1, 2000],
])

/** PESEL: a date of birth, a running number and a check digit (Act on population records of 24 September 2010). */
const isPolish = (digits: string): boolean => {
  const month = Number(digits.slice(2, 4))
  const century = CENTURIES.get(Math.floor(month / 20))
  if (century === undefined) return false
  const born = isDate(century + Number(digits.slice(0, 2)), month % 20, Number(digits.slice(4, 6)))
  return born && weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0
}

const poland: readonly NationalScheme[] = [{ written: /(?<![\w.-])\d{11}(?![\w-])/g, isValid: isPolish }]

/** NIF: modulus 11 (Decreto-Lei 14/2013); 1 to 3 and 45 begin a person's. */
const isPortuguese = (digits: string): boolean => {
  const rest = weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return Number(digits[8]) === (rest < 2 ? 0 : 11 - rest)
}

const portugal: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])(?:[1-3]\d|45)\d ?\d{3} ?\d{3}(?![\w-])/g,
    isValid: isPortuguese,
    countries: ['PT'],
    introducedBy: introducing('nif|contribuinte|n[úu]mero fiscal'),
  },
]

const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

/**
 * DNI and, with X, Y or Z for the first digit, NIE: the letter is the number modulo 23 (Real Decreto 1553/2005;
 * Ministerio del Interior).
 */
const isSpanish = (compact: string): boolean => {
  const number = compact.slice(0, -1).replace(/^[XYZ]/, first => String('XYZ'.indexOf(first)))
  return LETTERS[Number(number) % 23] === compact.at(-1)
}

const spain: readonly NationalScheme[] = [
  { written: /(?<![\w.-])(?:\d{8}|\d{2}\.\d{3}\.\d{3})[ -]?[A-HJ-NP-TV-Z](?![\w-])/gi, isValid: isSpanish },
  { written: /(?<![\w.-])[XYZ][ -]?\d{7}[ -]?[A-HJ-NP-TV-Z](?![\w-])/gi, isValid: isSpanish },
]

/** T.C. kimlik numarası: two check digits, the second over all the others (Turkish population office). */
const isTurkish = (digits: string): boolean => {
  const sum = weightedSum(digits, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
  return weightedSum(digits, [7, 9, 7, 9, 7, 9, 7, 9, 7]) % 10 === Number(digits[9]) && sum % 10 === Number(digits[10])
}

const turkeyIsrael: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])[1-9]\d{10}(?![\w-])/g,
    isValid: isTurkish,
    countries: ['TR'],
    introducedBy: introducing(
      't\\.?c\\.?(?: ?kimlik)?(?: ?(?:no|numarası|numaram))?|kimlik(?: ?(?:no|numarası))?|tckn',
    ),
  },
  {
    // Teudat zehut: the Luhn digit (Israeli population authority).
    written: /(?<![\w.-])\d{9}(?![\w-])/g,
    isValid: passesLuhn,
    countries: ['IL'],
    introducedBy: introducing('teudat zehut|israeli id|תעודת זהות|ת\\.ז\\.?'),
  },
]

export const southernAndEasternEurope: readonly NationalScheme[] = [
  balkans,
  czechiaSlovakia,
  greece,
  italy,
  poland,
  portugal,
  spain,
  turkeyIsrael,
].flat()
