/**
 * What a model's cosine means: pairs of its raw cosine and the scale that all thresholds are on, both rising. Between two of them the scale is
 * a straight line. At 0.88 of the scale at least 97 of 100 pairs say the same.
 */
export interface Calibration {
  readonly knots: readonly (readonly [raw: number, scale: number])[]
  /** Whether two texts must also say the same word for word, as far as words tell, to be one: see `model/duplicates/wording/`. */
  readonly comparesWords: boolean
}

/** Where words are compared too, it is the copies that say how low 0.88 may be: the lowest that a fit gives, which it gave for each shipped model. */
export const LOWEST_FIT: Calibration = {
  knots: [
    [-1, -1],
    [0.8, 0.8],
    [0.81, 0.88],
    [0.82, 0.92],
    [1, 1],
  ],
  comparesWords: true,
}
