/** A number of Signals in words. */
export const signalCountText = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'Signal' : 'Signals'}`
