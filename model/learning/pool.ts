import { CLASSES, softmax } from './fit.ts'

/** How much each of two voices counts: likelihoods are multiplied, each raised to its weight. */
export interface PoolWeights {
  readonly builtIn: number
  readonly learned: number
}

/** What two voices say of an example, as logarithms, and what it is. */
export interface Heard {
  readonly builtIn: Float64Array
  readonly learned: Float64Array
  readonly label: number
  readonly worth: number
}

/** No voice puts anything out of the question. */
const LEAST_LIKELY = 0.02

export const logarithms = (likely: Iterable<number>): Float64Array =>
  Float64Array.from(likely, each => Math.log(Math.max(LEAST_LIKELY, each)))

export const pooled = (weights: PoolWeights, builtIn: Float64Array, learned: Float64Array): Float64Array =>
  softmax(builtIn.map((score, at) => weights.builtIn * score + weights.learned * (learned[at] ?? 0)))

/** Before any example is heard, the built-in voice has all of the weight, and this many examples hold against that. */
const RELUCTANCE = 3
const STEPS = 40

/** The weights that make what the examples are the likeliest (Newton's method), never below zero, and the built-in one's not above what it had. The learned voice must not have seen the examples. */
export const fitPool = (heard: readonly Heard[]): PoolWeights => {
  let builtIn = 1
  let learned = 0
  for (let step = 0; step < STEPS; step += 1) {
    let slopeB = RELUCTANCE * (builtIn - 1)
    let slopeL = RELUCTANCE * learned
    let curveBB = RELUCTANCE
    let curveLL = RELUCTANCE
    let curveBL = 0
    for (const example of heard) {
      const likely = pooled({ builtIn, learned }, example.builtIn, example.learned)
      const sums = [0, 0, 0, 0, 0] as [number, number, number, number, number]
      for (let of = 0; of < CLASSES; of += 1) {
        const p = likely[of] ?? 0
        const b = example.builtIn[of] ?? 0
        const l = example.learned[of] ?? 0
        sums[0] += p * b
        sums[1] += p * l
        sums[2] += p * b * b
        sums[3] += p * l * l
        sums[4] += p * b * l
      }
      const [b, l, bb, ll, bl] = sums
      slopeB += example.worth * (b - (example.builtIn[example.label] ?? 0))
      slopeL += example.worth * (l - (example.learned[example.label] ?? 0))
      curveBB += example.worth * (bb - b * b)
      curveLL += example.worth * (ll - l * l)
      curveBL += example.worth * (bl - b * l)
    }
    const determinant = curveBB * curveLL - curveBL * curveBL
    builtIn = Math.min(1, Math.max(0, builtIn - (curveLL * slopeB - curveBL * slopeL) / determinant))
    learned = Math.max(0, learned - (curveBB * slopeL - curveBL * slopeB) / determinant)
  }
  return { builtIn, learned }
}
