import { useState } from 'react'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { Picker } from '../../parts/picking/picker.tsx'
import type { Group } from './group.ts'
import { idsIn, useGroupChange } from './use-group-change.ts'

interface Props {
  readonly group: Group
  /** References of those that are in it. */
  readonly members: readonly string[]
  readonly onClose: () => void
}

export const AddSolutions = ({ group: { id, name, version }, members, onClose }: Props) => {
  const [solutions, setSolutions] = useState<readonly string[]>([])
  const adding = useGroupChange({
    doneMessage:
      solutions.length === 1 ? `${solutions[0]} is in the group.` : `${solutions.length} Solutions are in the group.`,
    undo: ({ group, changed }) => ({
      action: 'remove',
      group_id: id,
      solution_ids: idsIn(changed.added_solution_ids),
      version: group.version,
    }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title="Add Solutions to the group"
      action="Add"
      statement={`Add Solutions to the group “${name}”.`}
      pending={adding.isPending}
      error={adding.error}
      ready={solutions.length > 0}
      onClose={onClose}
      onDecide={grounds =>
        adding.decide({ action: 'add', group_id: id, solution_ids: [...solutions], version, ...grounds })
      }
    >
      <Picker type="solution" label="Solutions" focused value={solutions} onChange={setSolutions} without={members} />
    </DecisionDialog>
  )
}
