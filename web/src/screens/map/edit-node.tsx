import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { NodeForm } from './node-form.tsx'
import { readTexts } from './node-texts.ts'
import { MAP_READS } from './use-map-changes.ts'

interface Props {
  readonly id: string
  readonly onDone: () => void
}

/** A node’s name, description and examples, changed on the version that was read. */
export const EditNode = ({ id, onDone }: Props) => {
  const { data, error, refetch } = useQuery({
    queryKey: ['lookup_node', { id }, 'texts'],
    queryFn: ({ signal }) => readTexts(id, signal),
    // Somebody is writing: what others changed meanwhile is told when it is saved.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: false,
  })
  const updating = useChange('update_map_node', {
    invalidates: MAP_READS,
    onSuccess: () => {
      notifyDone('Saved. Signals are anchored again in the background.')
      onDone()
    },
  })
  if (data === undefined)
    return error === null ? <LoadingState rows={3} height={48} /> : <ErrorState error={error} retry={refetch} />
  const { version, ...texts } = data
  return (
    <NodeForm
      texts={texts}
      action="Save"
      pending={updating.isPending}
      error={updating.error}
      onSubmit={({ name, description, examples }) =>
        updating.mutate({ id, name, description, examples: [...examples], version })
      }
      onCancel={onDone}
    />
  )
}
