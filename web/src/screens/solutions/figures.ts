const rounded = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const short = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** A priority, weight or term, always with two decimals so that a column lines up. */
export const priority = (value: number): string => rounded.format(value)

export const boost = (value: number): string => `×${short.format(value)}`

export const share = (value: number): string => percent.format(value)
