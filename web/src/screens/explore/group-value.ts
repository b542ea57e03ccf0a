import type { PathOf } from './use-node-paths.ts'

/** A value that rows are apart by, as people read it: a node by its path, a stage in words. */
export const groupValue = (name: string, value: string, pathOf: PathOf): string => {
  if (name === 'node') return pathOf.get(value) ?? value
  return name === 'stage' ? value.replaceAll('_', ' ') : value
}
