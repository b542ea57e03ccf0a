import { useChange } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { notifyFailed, notifyUndoable } from '../../shell/notify.tsx'
import type { OutlinedNode } from './outline.ts'

/** What shows the map. */
export const MAP_READS = ['outline_map', 'lookup_node', 'list_jobs'] as const

/** Changes that are made where the node stands, at once, and can be undone. */
export const useMapChanges = () => {
  const moving = useChange('move_map_node', { invalidates: MAP_READS })
  const updating = useChange('update_map_node', { invalidates: MAP_READS })
  return {
    move: ({ id, name, version, parent_id: before }: OutlinedNode, parent_id: string | null): Promise<void> =>
      moving
        .mutateAsync({ id, parent_id, version })
        .then(moved =>
          notifyUndoable(t('“{name}” is moved: {path}.', { name, path: moved.path.join(' / ') }), () =>
            moving.mutateAsync({ id, parent_id: before, version: moved.version }),
          ),
        )
        .catch(notifyFailed),
    /** Answers false where it failed. */
    rename: (
      { id, name: before }: OutlinedNode,
      name: string,
      expected: { readonly version?: number },
    ): Promise<boolean> =>
      updating
        .mutateAsync({ id, name, ...expected })
        .then(renamed => {
          notifyUndoable(t('“{before}” is named “{name}”. Its signals stay.', { before, name }), () =>
            updating.mutateAsync({ id, name: before, version: renamed.version }),
          )
          return true
        })
        .catch(error => {
          notifyFailed(error)
          return false
        }),
  }
}
