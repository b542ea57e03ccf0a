/** “1 signal”, “1,200 signals”. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`

/** A share between 0 and 1, as a percentage. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** A score between 0 and 1, with two places. */
export const score = (number: number | null): string => (number === null ? '–' : number.toFixed(2))
