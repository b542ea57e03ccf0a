import { seededRandom } from '../runtime/testing.ts'
import { unitVector } from '../vectors.ts'

/**
 * Vectors that look the same in every run: clusters with planted neighbours, since uniformly random vectors have none.
 */

const DIMENSIONS = 1024

export interface PlantedVectors {
  /** A unit vector of one of the clusters, whose members are at a cosine of about 0.36 of each other. */
  member(): Float32Array
  /** A unit vector at exactly this cosine of another. */
  at(cosine: number, of: Float32Array): Float32Array
}

export const plantVectors = (clusters: number): PlantedVectors => {
  const normal = normals(1)
  const centres = Array.from({ length: clusters }, () => Float32Array.from({ length: DIMENSIONS }, normal))
  let made = 0
  return {
    member: () => {
      const centre = centres[made % clusters] ?? new Float32Array(DIMENSIONS)
      made += 1
      return unit(centre.map(value => 0.6 * value + 0.8 * normal()))
    },
    at: (cosine, of) => {
      const random = Float32Array.from({ length: DIMENSIONS }, normal)
      const along = dot(random, of)
      const aside = unit(random.map((value, index) => value - along * (of[index] ?? 0)))
      const share = Math.sqrt(1 - cosine * cosine)
      return of.map((value, index) => cosine * value + share * (aside[index] ?? 0))
    },
  }
}

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)

const unit = (vector: Float32Array): Float32Array => unitVector('planted', vector)

/** By Box and Muller's transform. */
const normals = (seed: number): (() => number) => {
  const uniform = seededRandom(seed)
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}
