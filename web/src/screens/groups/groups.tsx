import { Anchor, Button, Table, Text } from '@mantine/core'
import { IconPlus, IconStack2 } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { useCanEdit, useOperationPages } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { statement } from '../../language/statements.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { useNewForm } from '../../parts/forms/use-form.ts'
import { When } from '../../parts/inline.tsx'
import { LinkedTable, MoreButton } from '../../parts/lists.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { Picker } from '../../parts/picker.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useKeys } from '../../shell/keys.ts'
import { addressOf, type Group, groupsIn, useGroupChange } from './group.ts'
import { GroupPage, StateBar } from './group-page.tsx'
import classes from './groups.module.css'

/** `/app/groups` is all of them, `/app/groups/<id>` one. */
const Groups = () => {
  const { '*': id = '' } = useParams()
  return id === '' ? <GroupList /> : <GroupPage key={id} id={id} />
}

export default Groups

/** Every group of the workspace, by name, with how far its Solutions are. */
const GroupList = () => {
  const [creating, setCreating] = useState(false)
  const navigate = useNavigate()
  const canEdit = useCanEdit()
  const query = useOperationPages('lookup_group', { limit: 50 })
  const { first, error, refetch } = query
  const create = () => setCreating(true)
  useKeys(canEdit ? [{ key: 'c', does: t('New group'), run: create }] : [])
  return (
    <Page>
      <PageHeader
        title={t('Groups')}
        about={t('Solutions that belong together, by a name of your own. One may be in several.')}
      >
        {canEdit && (
          <Button size="sm" leftSection={<IconPlus size={16} />} onClick={create}>
            {t('New group')}
          </Button>
        )}
      </PageHeader>
      {first === undefined &&
        (error === null ? <LoadingState rows={6} height={40} /> : <ErrorState error={error} retry={refetch} />)}
      {first?.count === 0 && (
        <EmptyState icon={IconStack2} title={t('There is no group yet')}>
          {t(
            'A release, a theme, a promise to a customer: a group gathers the Solutions of it, wherever they stand on the board.',
          )}
        </EmptyState>
      )}
      {first !== undefined && first.count > 0 && <GroupTable groups={groupsIn(query.items)} />}
      <MoreButton query={query} />
      {creating && <CreateGroup onCreated={group => navigate(addressOf(group))} onClose={() => setCreating(false)} />}
    </Page>
  )
}

const GroupTable = ({ groups }: { readonly groups: readonly Group[] }) => (
  <LinkedTable aria-label={t('Groups')} className={classes.table ?? ''}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t('Group')}</Table.Th>
        <Table.Th ta="end" w={100}>
          {t('Solutions')}
        </Table.Th>
        <Table.Th w="40%" ps="xl" data-yields="3">
          {t('Progress')}
        </Table.Th>
        <Table.Th w={120} data-yields="2">
          {t('Changed')}
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {groups.map(group => (
        <Table.Tr key={group.id}>
          <Table.Td className={classes.name}>
            <Anchor component={Link} to={addressOf(group)} size="sm" fw={550} c="inherit">
              <bdi>{group.name}</bdi>
            </Anchor>
          </Table.Td>
          <Table.Td ta="end">{group.solutions.toLocaleString(language)}</Table.Td>
          <Table.Td ps="xl" data-yields="3">
            {group.solutions === 0 ? (
              <Text size="xs" c="dimmed">
                {t('empty')}
              </Text>
            ) : (
              <StateBar of={group.by_state} />
            )}
          </Table.Td>
          <Table.Td data-yields="2">
            <When at={group.updated_at} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </LinkedTable>
)

interface CreateGroupProps {
  readonly onCreated: (group: Group) => void
  readonly onClose: () => void
}

/** Makes a group, with its first Solutions if there are any. */
const CreateGroup = ({ onCreated, onClose }: CreateGroupProps) => {
  const form = useNewForm<{ readonly name: string; readonly solutions: readonly string[] }>('new group', {
    name: '',
    solutions: [],
  })
  const { name, solutions } = form.values
  const creating = useGroupChange({ doneMessage: t('The group is created.'), goOn: ({ group }) => onCreated(group) })
  return (
    <DecisionDialog
      opened
      title={t('New group')}
      action={t('Create group')}
      statement={statement('Group Solutions that belong together.')}
      change={creating}
      form={form}
      missing={name.trim() === '' ? t('a name') : null}
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
      <LimitedInput
        label={t('Name')}
        data-autofocus
        most={MAX_CHARACTERS.name}
        value={name}
        onChange={event => form.write({ name: event.currentTarget.value })}
      />
      <Picker
        type="solution"
        label={t('Solutions')}
        value={solutions}
        onChange={changed => form.write({ solutions: changed })}
      />
    </DecisionDialog>
  )
}
