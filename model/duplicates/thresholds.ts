/** The least cosine at which one signal repeats another; across channels, and between parts of quoted e-mail threads. */
export const NEAR_DUPLICATE_AT = 0.88
export const NEAR_DUPLICATE_IN_THREADS_AT = 0.92
/** Vectors are of float32: a cosine that is meant to be 0.88 comes out up to this much below. */
export const COSINE_TOLERANCE = 1e-6
/**
 * From so many differing sign bits on, two vectors are not compared any further. A cosine of 0.88 is an angle of 28°, at which 161 of 1,024
 * bits differ on average, give or take 12; at 256 the angle is 45°.
 */
export const MAX_DIFFERING_BITS = 256
