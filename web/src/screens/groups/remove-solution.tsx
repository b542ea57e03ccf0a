import { Text } from '@mantine/core'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import type { Group, Member } from './group.ts'
import { useGroupChange } from './use-group-change.ts'

interface Props {
  readonly group: Group
  readonly member: Member
  readonly onClose: () => void
}

export const RemoveSolution = ({ group: { id, name, version }, member, onClose }: Props) => {
  const { reference } = member
  const removing = useGroupChange({
    doneMessage: `${reference} is out of the group.`,
    undo: ({ group }) => ({ action: 'add', group_id: id, solution_ids: [member.id], version: group.version }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={`Remove ${reference} from the group`}
      action="Remove"
      statement={`${reference} does not belong to the group “${name}”.`}
      pending={removing.isPending}
      error={removing.error}
      onClose={onClose}
      onDecide={grounds =>
        removing.decide({ action: 'remove', group_id: id, solution_ids: [member.id], version, ...grounds })
      }
    >
      <Text size="sm">
        <bdi>{member.title}</bdi> stays on the board as it is.
      </Text>
    </DecisionDialog>
  )
}
