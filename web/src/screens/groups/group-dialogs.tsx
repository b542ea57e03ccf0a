import { Text } from '@mantine/core'
import { useNavigate } from 'react-router'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { plural, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { statement } from '../../language/statements.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { Picker } from '../../parts/picker.tsx'
import { type Group, idsIn, type Member, useGroupChange } from './group.ts'

export const ADDRESS = '/app/groups'

export type OpenDialog =
  | { readonly what: 'add' | 'rename' | 'delete' }
  | { readonly what: 'remove'; readonly member: Member }

interface DialogsProps {
  readonly dialog: OpenDialog
  readonly group: Group
  readonly members: readonly Member[]
  readonly onClose: () => void
}

export const Dialogs = ({ dialog, group, members, onClose }: DialogsProps) => {
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
  const form = useForm({ name: `${reference} out of group ${id}`, labels: {}, now: { version, values: {} } })
  return (
    <DecisionDialog
      opened
      title={t('Remove {reference} from the group', { reference })}
      action={t('Remove')}
      statement={statement('{reference} does not belong to the group “{name}”.', { reference, name })}
      change={removing}
      form={form}
      onClose={onClose}
      onDecide={grounds =>
        removing.decide({ action: 'remove', group_id: id, solution_ids: [member.id], ...form.expected, ...grounds })
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
  const deleting = useGroupChange({ doneMessage: <DeletedName name={name} />, goOn: onDeleted })
  const form = useForm({
    name: `delete group ${id}`,
    labels: { name: t('Name'), solutions: t('Solutions') },
    now: { version, values: { name, solutions } },
    isWhole: true,
  })
  return (
    <DecisionDialog
      opened
      title={t('Delete the group')}
      action={t('Delete group')}
      statement={statement('Not needed any more: the group “{name}”.', { name })}
      change={deleting}
      form={form}
      onClose={onClose}
      onDecide={grounds => deleting.decide({ action: 'delete', group_id: id, ...form.expected, ...grounds })}
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

const NO_SOLUTIONS: { readonly solutions: readonly string[] } = { solutions: [] }

const AddSolutions = ({ group: { id, name, version }, members, onClose }: AddSolutionsProps) => {
  // More Solutions are no other word for those that somebody else has added: both stand.
  const form = useForm({
    name: `Solutions of group ${id}`,
    labels: { solutions: t('Solutions') },
    now: { version, values: NO_SOLUTIONS },
  })
  const { solutions } = form.values
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
      statement={statement('Add Solutions to the group “{name}”.', { name })}
      change={adding}
      form={form}
      missing={solutions.length === 0 ? t('a Solution') : null}
      onClose={onClose}
      onDecide={grounds =>
        adding.decide({ action: 'add', group_id: id, solution_ids: [...solutions], ...form.expected, ...grounds })
      }
    >
      <Picker
        type="solution"
        label={t('Solutions')}
        focused
        value={solutions}
        onChange={changed => form.write({ solutions: changed })}
        without={members}
      />
    </DecisionDialog>
  )
}

interface Props {
  readonly group: Group
  readonly onClose: () => void
}

const RenameGroup = ({ group: { id, name: old, version }, onClose }: Props) => {
  const form = useForm({
    name: `rename group ${id}`,
    labels: { name: t('Name') },
    now: { version, values: { name: old } },
  })
  const { name } = form.values
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
      statement={statement('Give the group a clearer name.')}
      change={renaming}
      form={form}
      missing={name.trim() === '' || name.trim() === old ? t('another name') : null}
      onClose={onClose}
      onDecide={grounds =>
        renaming.decide({ action: 'rename', group_id: id, name: name.trim(), ...form.expected, ...grounds })
      }
    >
      <LimitedInput
        label={t('Name')}
        data-autofocus
        most={MAX_CHARACTERS.name}
        value={name}
        onChange={event => form.write({ name: event.currentTarget.value })}
      />
    </DecisionDialog>
  )
}
