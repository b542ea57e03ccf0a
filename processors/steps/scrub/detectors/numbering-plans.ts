import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/**
 * What the countries' numbering plans say of a number as it is written, with its country code after a plus, or as it is
 * dialled in a country.
 */
export interface NumberingPlans {
  /** Whether it is one that is given out. */
  readonly isValid: (written: string, country?: CountryCode) => boolean
  /** Whether it has a length that is given out. */
  readonly isPossible: (written: string, country?: CountryCode) => boolean
}

/** About 30 microseconds each, at most. */
const MAX_QUESTIONS = 1_000
/** The most digits that a number has (ITU-T E.164). */
const MAX_DIGITS = 15

/**
 * The plans, for one signal. They are asked so often and no more, because an answer costs a hundred times what reading
 * the number does: of a signal with some hundred numbers and more, the rest is judged by its form and its length alone,
 * and rather taken for a phone number.
 */
export const numberingPlans = (): NumberingPlans => {
  let planLookups = 0
  const answer = (written: string, country: CountryCode | undefined, says: 'isValid' | 'isPossible'): boolean => {
    if (planLookups >= MAX_QUESTIONS) return written.replace(/\D/g, '').length <= MAX_DIGITS
    planLookups += 1
    return parsePhoneNumberFromString(written, country)?.[says]() === true
  }
  return {
    isValid: (written, country) => answer(written, country, 'isValid'),
    isPossible: (written, country) => answer(written, country, 'isPossible'),
  }
}
