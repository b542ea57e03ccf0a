/** A vector in pgvector's text form (`[1,2,3]`), to bind to a `vector` parameter. */
export const toVector = (values: Float32Array | readonly number[]): string => `[${values.join(',')}]`

/** The numbers of a vector in pgvector's text form, which is how queries answer it. */
export const fromVector = (text: string): Float32Array => Float32Array.from(JSON.parse(text))
