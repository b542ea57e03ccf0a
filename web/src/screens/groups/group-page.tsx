import { Anchor, Button, Text } from '@mantine/core'
import { IconPlus, IconStack2 } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useOperationPages } from '../../api/hooks.ts'
import { useCanEdit } from '../../api/use-role.ts'
import { plural, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { counted } from '../../parts/counted.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { MoreButton } from '../../parts/evidence/more-button.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Picker } from '../../parts/picking/picker.tsx'
import { When } from '../../parts/when.tsx'
import { useKeys } from '../../shell/keys.ts'
import { type Group, type Member, membersIn } from './group.ts'
import classes from './groups.module.css'
import { MemberTable } from './member-table.tsx'
import { RenameGroup } from './rename-group.tsx'
import { StateBar } from './state-bar.tsx'
import { idsIn, useGroupChange } from './use-group-change.ts'

const ADDRESS = '/app/groups'

type OpenDialog = { readonly what: 'add' | 'rename' | 'delete' } | { readonly what: 'remove'; readonly member: Member }

/** One group: its Solutions in board order, whatever state they are in. */
export const GroupPage = ({ id }: { readonly id: string }) => {
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const canEdit = useCanEdit()
  const query = useOperationPages('lookup_group', { id, limit: 100 })
  const { first, error, refetch } = query
  const group = first?.group ?? undefined
  const members = membersIn(query.items)
  useKeys(
    canEdit && group !== undefined
      ? [
          { key: 'a', does: t('Add Solutions'), run: () => setDialog({ what: 'add' }) },
          { key: 'e', does: t('Rename the group'), run: () => setDialog({ what: 'rename' }) },
        ]
      : [],
  )
  return (
    <Page>
      <Text size="sm" mb="xs" data-chrome>
        <Anchor component={Link} to={ADDRESS} inherit>
          {t('Groups')}
        </Anchor>
      </Text>
      <PageHeader title={group?.name ?? t('Group')} about={group && <Facts group={group} />}>
        {canEdit && group !== undefined && (
          <>
            <Button size="sm" variant="default" onClick={() => setDialog({ what: 'rename' })}>
              {t('Rename')}
            </Button>
            <Button size="sm" variant="default" onClick={() => setDialog({ what: 'delete' })}>
              {t('Delete')}
            </Button>
            <Button size="sm" leftSection={<IconPlus size={16} />} onClick={() => setDialog({ what: 'add' })}>
              {t('Add Solutions')}
            </Button>
          </>
        )}
      </PageHeader>
      {group === undefined &&
        (error === null ? <LoadingState rows={6} height={40} /> : <ErrorState error={error} retry={refetch} />)}
      {group !== undefined && members.length === 0 && (
        <EmptyState icon={IconStack2} title={t('No Solution is in it')}>
          {t('Add those that belong together; they stay on the board where they are.')}
        </EmptyState>
      )}
      {group !== undefined && members.length > 0 && (
        <>
          <div className={classes.far}>
            <StateBar of={group.by_state} />
            <Anchor component={Link} to={`/app/board?group=${encodeURIComponent(group.name)}`} size="sm" data-chrome>
              {t('On the board')}
            </Anchor>
          </div>
          <MemberTable members={members} onRemove={canEdit ? member => setDialog({ what: 'remove', member }) : null} />
        </>
      )}
      <MoreButton query={query} />
      {group !== undefined && dialog !== null && (
        <Dialogs dialog={dialog} group={group} members={members} onClose={() => setDialog(null)} />
      )}
    </Page>
  )
}

const Facts = ({ group: { solutions, updated_at } }: { readonly group: Group }) => (
  <>
    {rich('{solutions}, changed {when}', { solutions: counted(solutions, 'Solution'), when: <When at={updated_at} /> })}
  </>
)

interface DialogsProps {
  readonly dialog: OpenDialog
  readonly group: Group
  readonly members: readonly Member[]
  readonly onClose: () => void
}

const Dialogs = ({ dialog, group, members, onClose }: DialogsProps) => {
  const navigate = useNavigate()
  if (dialog.what === 'rename') return <RenameGroup group={group} onClose={onClose} />
  if (dialog.what === 'remove') return <RemoveSolution group={group} member={dialog.member} onClose={onClose} />
  if (dialog.what === 'delete') {
    return <DeleteGroup group={group} onDeleted={() => navigate(ADDRESS)} onClose={onClose} />
  }
  return <AddSolutions group={group} members={members.map(({ reference }) => reference)} onClose={onClose} />
}

interface RemoveSolutionProps {
  readonly group: Group
  readonly member: Member
  readonly onClose: () => void
}

const RemoveSolution = ({ group: { id, name, version }, member, onClose }: RemoveSolutionProps) => {
  const { reference } = member
  const removing = useGroupChange({
    doneMessage: t('{reference} is out of the group.', { reference }),
    undo: ({ group }) => ({ action: 'add', group_id: id, solution_ids: [member.id], version: group.version }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Remove {reference} from the group', { reference })}
      action={t('Remove')}
      statement={t('{reference} does not belong to the group “{name}”.', { reference, name })}
      change={removing}
      onClose={onClose}
      onDecide={grounds =>
        removing.decide({ action: 'remove', group_id: id, solution_ids: [member.id], version, ...grounds })
      }
    >
      <Text size="sm">{rich('{title} stays on the board as it is.', { title: <bdi>{member.title}</bdi> })}</Text>
    </DecisionDialog>
  )
}

interface DeleteGroupProps {
  readonly group: Group
  readonly onDeleted: () => void
  readonly onClose: () => void
}

const DeleteGroup = ({ group: { id, name, solutions, version }, onDeleted, onClose }: DeleteGroupProps) => {
  const deleting = useGroupChange({ doneMessage: <DeletedName name={name} />, onDone: onDeleted })
  return (
    <DecisionDialog
      opened
      title={t('Delete the group')}
      action={t('Delete group')}
      statement={t('Not needed any more: the group “{name}”.', { name })}
      change={deleting}
      onClose={onClose}
      onDecide={grounds => deleting.decide({ action: 'delete', group_id: id, version, ...grounds })}
    >
      <Text size="sm">
        {solutions === 0
          ? t('It has no Solution.')
          : plural(
              solutions,
              'The {number} Solution in it stay on the board as they are. The Decision keeps which they were.',
              'The {number} Solutions in it stay on the board as they are. The Decision keeps which they were.',
            )}
      </Text>
    </DecisionDialog>
  )
}

/** A name may turn the direction of what is written after it. */
const DeletedName = ({ name }: { readonly name: string }) => (
  <>{rich('The group “{name}” is deleted.', { name: <bdi>{name}</bdi> })}</>
)

interface AddSolutionsProps {
  readonly group: Group
  /** References of those that are in it. */
  readonly members: readonly string[]
  readonly onClose: () => void
}

const AddSolutions = ({ group: { id, name, version }, members, onClose }: AddSolutionsProps) => {
  const [solutions, setSolutions] = useState<readonly string[]>([])
  const adding = useGroupChange({
    doneMessage: plural(solutions.length, '{solution} is in the group.', '{number} Solutions are in the group.', {
      solution: solutions[0],
    }),
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
      title={t('Add Solutions to the group')}
      action={t('Add')}
      statement={t('Add Solutions to the group “{name}”.', { name })}
      change={adding}
      missing={solutions.length === 0 ? t('a Solution') : null}
      onClose={onClose}
      onDecide={grounds =>
        adding.decide({ action: 'add', group_id: id, solution_ids: [...solutions], version, ...grounds })
      }
    >
      <Picker
        type="solution"
        label={t('Solutions')}
        focused
        value={solutions}
        onChange={setSolutions}
        without={members}
      />
    </DecisionDialog>
  )
}
