import { Button, Select, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { MemberRole } from '../../../../schemas/domain/vocabulary.ts'
import { type Output, useChange, useOperation } from '../../api/operations.ts'
import { t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { When } from '../../parts/inline.tsx'
import { QuietHead, ScrollingTable } from '../../parts/lists.tsx'
import { NotShownAgain } from '../../parts/not-shown-again.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'
import { Invitations, InvitedLink, InviteMember } from './invitations.tsx'
import { RemoveMember } from './remove-member.tsx'
import { ROLE_CHOICES, roleOf } from './roles.ts'

/** Settings → Members: who works in the workspace, as what, and who is invited. */
const Members = () => {
  const [invited, setInvited] = useState<Output<'invite_member'> | null>(null)
  const { data, error, refetch } = useOperation('list_members', {})
  const isOwner = data?.your_role === 'owner'
  return (
    <Page width="reading">
      <PageHeader
        title={t('Members')}
        about={t('Who works in this workspace, and in which role. Owners invite with a link that lets one person in.')}
      />
      {isOwner && <InviteMember onInvited={setInvited} />}
      {invited?.url != null && <InvitedLink invited={invited} url={invited.url} onClose={() => setInvited(null)} />}
      {invited !== null && invited.url === null && (
        <NotShownAgain>
          {t('The link was in the answer that was lost, and is not shown again. Revoke it below, and create another.')}
        </NotShownAgain>
      )}
      {data === undefined &&
        (error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && (
        <>
          <Title order={2} mt={isOwner ? 'xl' : 'md'} mb="sm">
            {t('Members')}
          </Title>
          <MemberTable members={data.items} isOwner={isOwner} />
        </>
      )}
      {isOwner && <Invitations />}
    </Page>
  )
}

export default Members

export type Member = Output<'list_members'>['items'][number]

interface Props {
  readonly members: readonly Member[]
  /** Whether the person may change others. */
  readonly isOwner: boolean
}

export const MemberTable = ({ members, isOwner }: Props) => {
  const [leaving, setLeaving] = useState<Member | null>(null)
  const owners = members.filter(({ role }) => role === 'owner').length
  return (
    <>
      <ScrollingTable minWidth={520} label={t('Members')}>
        <Table aria-label={t('Members')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Name')}</Table.Th>
              <Table.Th w={150}>{t('Role')}</Table.Th>
              <Table.Th w={120}>{t('Joined')}</Table.Th>
              <QuietHead w={110} label={t('Remove')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {members.map(member => (
              <MemberRow
                key={member.user_id}
                of={member}
                isOwner={isOwner}
                isLastOwner={member.role === 'owner' && owners === 1}
                onRemove={() => setLeaving(member)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollingTable>
      <RemoveMember of={leaving} onClose={() => setLeaving(null)} />
    </>
  )
}

interface RowProps {
  readonly of: Member
  readonly isOwner: boolean
  readonly isLastOwner: boolean
  readonly onRemove: () => void
}

const LAST_OWNER = t('A workspace keeps at least one owner.')

const MemberRow = ({ of: member, isOwner, isLastOwner, onRemove }: RowProps) => (
  <Table.Tr>
    <Table.Td maw={260}>
      <Text component="bdi" size="sm" fw={550} truncate="end" display="block" title={member.name}>
        {member.name}
        {member.is_you && (
          <Text span size="xs" c="dimmed" fw={400}>
            {' '}
            {t('you')}
          </Text>
        )}
      </Text>
      <Text component="bdi" size="xs" c="dimmed" truncate="end" display="block">
        {member.email}
      </Text>
    </Table.Td>
    <Table.Td>
      {isOwner && !isLastOwner ? (
        <RoleSelect of={member} />
      ) : (
        <Text size="sm" title={isLastOwner ? LAST_OWNER : ''}>
          {word(member.role)}
        </Text>
      )}
    </Table.Td>
    <Table.Td>
      <When at={member.joined_at} />
    </Table.Td>
    <Table.Td ta="end">
      {(isOwner || member.is_you) && !isLastOwner && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          onClick={onRemove}
          aria-label={member.is_you ? t('Leave the workspace') : t('Remove {name}', { name: member.name })}
        >
          {member.is_you ? t('Leave') : t('Remove')}
        </Button>
      )}
    </Table.Td>
  </Table.Tr>
)

const RoleSelect = ({ of: member }: { readonly of: Member }) => {
  const changing = useChange('change_role', {
    invalidates: ['list_members', 'list_workspaces'],
    onSuccess: ({ role }) =>
      notifyDone(rich('{name} is {role} from now on.', { name: <bdi>{member.name}</bdi>, role: word(role) })),
  })
  const change = (role: MemberRole) => {
    if (role !== member.role)
      changing.mutate({ user_id: member.user_id, role, expected: { role: member.role } }, { onError: notifyFailed })
  }
  return (
    <Select
      size="xs"
      aria-label={t('Role of {name}', { name: member.name })}
      data={ROLE_CHOICES}
      value={changing.isPending ? changing.variables.role : member.role}
      onChange={value => change(roleOf(value))}
      allowDeselect={false}
      disabled={changing.isPending}
    />
  )
}
