import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { Picker } from '../../parts/picking/picker.tsx'
import type { Group } from './group.ts'
import { MAX_NAME_CHARACTERS } from './rename-group.tsx'
import { useGroupChange } from './use-group-change.ts'

interface Props {
  readonly onCreated: (group: Group) => void
  readonly onClose: () => void
}

/** Makes a group, with its first Solutions if there are any. */
export const CreateGroup = ({ onCreated, onClose }: Props) => {
  const [name, setName] = useState('')
  const [solutions, setSolutions] = useState<readonly string[]>([])
  const creating = useGroupChange({ doneMessage: 'The group is made.', onDone: ({ group }) => onCreated(group) })
  return (
    <DecisionDialog
      opened
      title="New group"
      action="Create group"
      statement="Group Solutions that belong together."
      pending={creating.isPending}
      error={creating.error}
      ready={name.trim() !== ''}
      onClose={onClose}
      onDecide={grounds =>
        creating.decide({
          action: 'create',
          name: name.trim(),
          ...(solutions.length > 0 && { solution_ids: [...solutions] }),
          ...grounds,
        })
      }
    >
      <TextInput
        label="Name"
        data-autofocus
        maxLength={MAX_NAME_CHARACTERS}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      <Picker type="solution" label="Solutions" value={solutions} onChange={setSolutions} />
    </DecisionDialog>
  )
}
