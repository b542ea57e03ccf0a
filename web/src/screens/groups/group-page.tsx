import { ActionIcon, Anchor, Button, Table, Text, Tooltip } from '@mantine/core'
import { IconPlus, IconStack2, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { MAX_LIMIT } from '../../../../schemas/domain/limits.ts'
import { SOLUTION_STATES } from '../../../../schemas/domain/vocabulary.ts'
import { useCanEdit, useOperationPages } from '../../api/operations.ts'
import { counted, language, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { priority } from '../../parts/formats.ts'
import { addressOfReference, When } from '../../parts/inline.tsx'
import { LinkedTable, MoreButton, QuietHead } from '../../parts/lists.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useKeys } from '../../shell/keys.ts'
import { type Group, type Member, membersIn } from './group.ts'
import { ADDRESS, Dialogs, type OpenDialog } from './group-dialogs.tsx'
import classes from './groups.module.css'

/** One group: its Solutions in board order, whatever state they are in. */
export const GroupPage = ({ id }: { readonly id: string }) => {
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const canEdit = useCanEdit()
  const query = useOperationPages('lookup_group', { id, limit: MAX_LIMIT })
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
        <EmptyState icon={IconStack2} title={t('No Solution in the group')}>
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

interface Props {
  readonly of: Group['by_state']
}

/** How far the Solutions of a group are, as one bar; the words say the same. */
export const StateBar = ({ of }: Props) => {
  const counts = new Map(of.map(({ state, solutions }) => [state, solutions]))
  const states = SOLUTION_STATES.filter(state => counts.has(state))
  return (
    <div className={classes.states}>
      <div className={classes.bar} aria-hidden>
        {states.map(state => (
          <span key={state} data-state={state} style={{ flexGrow: counts.get(state) ?? 0 }} />
        ))}
      </div>
      <span className={classes.counts}>
        {states.map(state => `${counts.get(state)}\u00a0${word(state)}`).join(' · ')}
      </span>
    </div>
  )
}

interface MemberTableProps {
  readonly members: readonly Member[]
  /** Null: the person may not. */
  readonly onRemove: ((member: Member) => void) | null
}

/** The Solutions of a group in board order. */
const MemberTable = ({ members, onRemove }: MemberTableProps) => (
  <LinkedTable aria-label={t('Solutions of the group')} className={classes.table ?? ''}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t('Solution')}</Table.Th>
        <Table.Th w={120}>{t('State')}</Table.Th>
        <Table.Th ta="end" w={90} data-yields="2">
          {t('Actors')}
        </Table.Th>
        <Table.Th ta="end" w={90} data-yields="2">
          {t('Signals')}
        </Table.Th>
        <Table.Th ta="end" w={90} data-yields="2">
          {t('Score')}
        </Table.Th>
        {onRemove !== null && <QuietHead w={44} label={t('Remove')} data-chrome />}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {members.map(member => {
        const { id, reference, title, state, actors = 0, signals = 0, score: scored = 0 } = member
        return (
          <Table.Tr key={id}>
            <Table.Td className={classes.name}>
              <Anchor
                component={Link}
                to={addressOfReference(reference) ?? '/app/board'}
                className={classes.solution ?? ''}
                c="inherit"
                underline="never"
              >
                <span className={classes.reference}>{reference}</span>
                <bdi>{title}</bdi>
              </Anchor>
            </Table.Td>
            <Table.Td>
              <StateBadge state={state} />
            </Table.Td>
            <Table.Td ta="end" data-yields="2">
              {actors.toLocaleString(language)}
            </Table.Td>
            <Table.Td ta="end" data-yields="2">
              {signals.toLocaleString(language)}
            </Table.Td>
            <Table.Td ta="end" data-yields="2">
              {priority(scored)}
            </Table.Td>
            {onRemove !== null && (
              <Table.Td data-chrome>
                <Tooltip label={t('Remove {reference}', { reference })}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={t('Remove {reference}', { reference })}
                    onClick={() => onRemove(member)}
                  >
                    <IconX size={15} />
                  </ActionIcon>
                </Tooltip>
              </Table.Td>
            )}
          </Table.Tr>
        )
      })}
    </Table.Tbody>
  </LinkedTable>
)
