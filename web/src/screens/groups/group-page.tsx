import { Anchor, Button, Text } from '@mantine/core'
import { IconPlus, IconStack2 } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useOperationPages } from '../../api/hooks.ts'
import { useCanEdit } from '../../api/use-role.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { MoreButton } from '../../parts/evidence/more-button.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { When } from '../../parts/when.tsx'
import { useKeys } from '../../shell/keys.ts'
import { AddSolutions } from './add-solutions.tsx'
import { DeleteGroup } from './delete-group.tsx'
import { type Group, type Member, membersIn } from './group.ts'
import classes from './groups.module.css'
import { MemberTable } from './member-table.tsx'
import { RemoveSolution } from './remove-solution.tsx'
import { RenameGroup } from './rename-group.tsx'
import { StateBar } from './state-bar.tsx'

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
          { key: 'a', does: 'Add Solutions', run: () => setDialog({ what: 'add' }) },
          { key: 'e', does: 'Rename the group', run: () => setDialog({ what: 'rename' }) },
        ]
      : [],
  )
  return (
    <Page>
      <Text size="sm" mb="xs" data-chrome>
        <Anchor component={Link} to={ADDRESS} inherit>
          Groups
        </Anchor>
      </Text>
      <PageHeader title={group?.name ?? 'Group'} about={group && <Facts group={group} />}>
        {canEdit && group !== undefined && (
          <>
            <Button size="sm" variant="default" onClick={() => setDialog({ what: 'rename' })}>
              Rename
            </Button>
            <Button size="sm" variant="default" onClick={() => setDialog({ what: 'delete' })}>
              Delete
            </Button>
            <Button size="sm" leftSection={<IconPlus size={16} />} onClick={() => setDialog({ what: 'add' })}>
              Add Solutions
            </Button>
          </>
        )}
      </PageHeader>
      {group === undefined &&
        (error === null ? <LoadingState rows={6} height={40} /> : <ErrorState error={error} retry={refetch} />)}
      {group !== undefined && members.length === 0 && (
        <EmptyState icon={IconStack2} title="No Solution is in it">
          Add those that belong together; they stay on the board where they are.
        </EmptyState>
      )}
      {group !== undefined && members.length > 0 && (
        <>
          <div className={classes.far}>
            <StateBar of={group.by_state} />
            <Anchor component={Link} to={`/app/board?group=${encodeURIComponent(group.name)}`} size="sm" data-chrome>
              On the board
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
    {solutions.toLocaleString('en')} {solutions === 1 ? 'Solution' : 'Solutions'}, changed <When at={updated_at} />
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
