import { useQueryClient } from '@tanstack/react-query'
import { useLiveChange } from '../../api/live-connection.ts'
import { operationKey } from '../../api/operations.ts'

const READS = ['list_themes', 'lookup_theme'] as const

/** Reads themes again when a computation has found them anew, or has placed signals in them. */
export const useFoundAnew = (): void => {
  const queries = useQueryClient()
  useLiveChange(['themes'], () => {
    for (const operation of READS) void queries.invalidateQueries({ queryKey: operationKey(operation) })
  })
}
