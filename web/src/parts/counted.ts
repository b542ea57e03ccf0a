/** “1 signal”, “1,200 signals”. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`

/** A chance, or how alike two are, 0 to 1, as people read it: `86 %`. */
export const percent = (part: number | null): string => (part === null ? '–' : `${Math.round(part * 100)} %`)
