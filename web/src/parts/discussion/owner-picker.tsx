import { Group, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { callOnce } from '../../api/call-once.ts'
import { call } from '../../api/client.ts'
import { useOperation } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { useUndoableAction } from '../evidence/use-undoable-action.ts'

export interface Person {
  readonly id: string
  readonly name: string
}

interface Props {
  /** The reference of a signal, a claim or a Solution. */
  readonly about: string
  readonly owner: Person | null
  readonly canEdit: boolean
}

/** The member who looks after something, and another one instead, or nobody. */
export const OwnerPicker = ({ about, owner, canEdit }: Props) => {
  const [opened, setOpened] = useState(false)
  const { data } = useOperation('list_members', {}, { enabled: opened })
  const { act, busy } = useUndoableAction()
  if (!canEdit) {
    return (
      <Text size="sm" c="dimmed">
        {rich('Owner: {name}', { name: <bdi>{owner?.name ?? t('nobody')}</bdi> })}
      </Text>
    )
  }
  const own = owner === null ? [] : [{ value: owner.id, label: owner.name }]
  const others = (data?.items ?? [])
    .filter(({ user_id, role }) => user_id !== owner?.id && role !== 'viewer')
    .toSorted((one, other) => Number(other.is_you) - Number(one.is_you))
    .map(({ user_id, name, is_you }) => ({ value: user_id, label: is_you ? t('{name} (you)', { name }) : name }))
  const assign = (chosen: string | null) =>
    act({
      run: () => callOnce('assign_owner', { id: about, owner: chosen ?? 'nobody' }),
      doneMessage: ({ data: { owner: now } }) =>
        now === null
          ? t('Nobody looks after {about}.', { about })
          : t('{name} looks after {about}.', { name: now.name, about }),
      undo: ({ meta }) => call('undo_change', { change_id: meta.change_id ?? '' }),
    })
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" c="dimmed" aria-hidden>
        {t('Owner')}
      </Text>
      <Select
        size="xs"
        w={180}
        aria-label={t('Owner')}
        placeholder={t('Nobody')}
        searchable
        clearable
        disabled={busy}
        nothingFoundMessage={data === undefined ? t('Reading…') : t('No such member')}
        data={[...own, ...others]}
        value={owner?.id ?? null}
        onDropdownOpen={() => setOpened(true)}
        onChange={chosen => chosen !== (owner?.id ?? null) && void assign(chosen)}
      />
    </Group>
  )
}
