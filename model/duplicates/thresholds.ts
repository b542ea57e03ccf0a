/** The least cosine at which one signal repeats another; across channels, and between parts of quoted e-mail threads. */
export const NEAR_DUPLICATE_AT = 0.88
export const NEAR_DUPLICATE_IN_THREADS_AT = 0.92
