import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { t } from '../../language/messages.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import type { Group } from './group.ts'
import { useGroupChange } from './use-group-change.ts'

interface Props {
  readonly group: Group
  readonly onClose: () => void
}

export const RenameGroup = ({ group: { id, name: old, version }, onClose }: Props) => {
  const [name, setName] = useState(old)
  const renaming = useGroupChange({
    doneMessage: t('The group is renamed.'),
    undo: ({ group }) => ({ action: 'rename', group_id: id, name: old, version: group.version }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Rename the group')}
      action={t('Rename')}
      statement={t('Say better what the group is about.')}
      change={renaming}
      missing={name.trim() === '' || name.trim() === old ? t('another name') : null}
      onClose={onClose}
      onDecide={grounds => renaming.decide({ action: 'rename', group_id: id, name: name.trim(), version, ...grounds })}
    >
      <TextInput
        label={t('Name')}
        data-autofocus
        maxLength={MAX_CHARACTERS.name}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
    </DecisionDialog>
  )
}
