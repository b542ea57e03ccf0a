/** The noun for so many of a thing: the singular for one, else the plural, which ends with an s unless it is given. */
export const plural = (count: number, singular: string, several = `${singular}s`): string =>
  count === 1 ? singular : several
