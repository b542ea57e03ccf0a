import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/**
 * The countries' numbering plans. A number is written with a plus and its country code, or as it is dialled in a
 * country.
 */
export interface NumberingPlans {
  /** True when the number is in use. */
  readonly isValid: (written: string, country?: CountryCode) => boolean
  /** True when the number has a length in use. */
  readonly isPossible: (written: string, country?: CountryCode) => boolean
}

/** A question takes about 30 microseconds at most. */
const MAX_QUESTIONS = 1_000
/** Most digits of a number (ITU-T E.164). */
const MAX_DIGITS = 15

/**
 * The plans for one signal, with a limited number of questions, because a question costs a hundred times what reading
 * the number does. After the limit a number is judged by its form and its length, and rather taken for a phone number.
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
