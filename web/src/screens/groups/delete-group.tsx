import { Text } from '@mantine/core'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { counted } from '../../parts/evidence/counted.ts'
import type { Group } from './group.ts'
import { useGroupChange } from './use-group-change.ts'

interface Props {
  readonly group: Group
  readonly onDeleted: () => void
  readonly onClose: () => void
}

export const DeleteGroup = ({ group: { id, name, solutions, version }, onDeleted, onClose }: Props) => {
  const deleting = useGroupChange({ doneMessage: <DeletedName name={name} />, onDone: onDeleted })
  return (
    <DecisionDialog
      opened
      title="Delete the group"
      action="Delete group"
      statement={`Not needed any more: the group “${name}”.`}
      pending={deleting.isPending}
      error={deleting.error}
      onClose={onClose}
      onDecide={grounds => deleting.decide({ action: 'delete', group_id: id, version, ...grounds })}
    >
      <Text size="sm">
        {solutions === 0
          ? 'It has no Solution.'
          : `The ${counted(solutions, 'Solution')} in it stay on the board as they are. The Decision keeps which they were.`}
      </Text>
    </DecisionDialog>
  )
}

/** A name may turn the direction of what is written after it. */
const DeletedName = ({ name }: { readonly name: string }) => (
  <>
    The group “<bdi>{name}</bdi>” is deleted.
  </>
)
