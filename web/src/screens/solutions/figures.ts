const short = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

export const boost = (value: number): string => `×${short.format(value)}`
