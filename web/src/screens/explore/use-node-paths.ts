import { useMemo } from 'react'
import { useOperation } from '../../api/hooks.ts'

/** The paths of the map’s nodes by id. */
export type PathOf = ReadonlyMap<string, string>

export const useNodePaths = (enabled: boolean): PathOf => {
  const { data } = useOperation('outline_map', {}, { enabled })
  const items = data?.items
  return useMemo(() => {
    const paths = new Map<string, string>()
    // Depth first: a parent comes before what is below it.
    for (const { id, parent_id, name } of items ?? []) {
      const above = parent_id === null ? undefined : paths.get(parent_id)
      paths.set(id, above === undefined ? name : `${above} / ${name}`)
    }
    return paths
  }, [items])
}
