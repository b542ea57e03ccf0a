/** Licences that let anybody use, change and hand on the code, asking for no more than their text and a name. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'PostgreSQL',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Python-2.0',
])

/** What packages mean that name no licence, or not as SPDX does, by the text that they carry. */
export const LICENCE_OVERRIDES: Readonly<Record<string, string>> = {
  '@kafkajs/confluent-schema-registry': 'MIT',
  usearch: 'Apache-2.0',
}

/**
 * Development tools with another licence. They run unchanged and nothing of them is shipped: MPL-2.0 asks for the
 * source of changed files that are handed on, and the inspector is on its way from MIT to Apache-2.0.
 */
export const DEVELOPMENT_ONLY: ReadonlySet<string> = new Set(['MPL-2.0', 'SEE LICENSE IN LICENSE'])

/** Whether the licence, an expression of SPDX, lets the product ship the code: each side of an AND, one of an OR. */
export const isAllowed = (licence: string): boolean => {
  const plain = licence.replaceAll(/[()]/g, '')
  return plain.split(' AND ').every(all => all.split(' OR ').some(one => ALLOWED.has(one.trim())))
}
