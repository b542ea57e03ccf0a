/** A number of Signals in words. */
export const signalsSaid = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'Signal' : 'Signals'}`
