import { Title } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useOperation } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Invitations } from './invitations.tsx'
import { InviteMember } from './invite-member.tsx'
import { InvitedLink } from './invited-link.tsx'
import { MemberTable } from './member-table.tsx'

/** Settings → Members: who works in the workspace, as what, and who is invited. */
const Members = () => {
  const [invited, setInvited] = useState<Output<'invite_member'> | null>(null)
  const { data, error, refetch } = useOperation('list_members', {})
  const isOwner = data?.your_role === 'owner'
  return (
    <Page width="reading">
      <PageHeader
        title="Members"
        about="Who works in this workspace, and as what. Owners invite with a link that lets one person in."
      />
      {isOwner && <InviteMember onInvited={setInvited} />}
      {invited?.url != null && <InvitedLink invited={invited} url={invited.url} onClose={() => setInvited(null)} />}
      <Title order={2} mt={isOwner ? 'xl' : 'md'} mb="sm">
        Members
      </Title>
      {data !== undefined && <MemberTable members={data.items} isOwner={isOwner} />}
      {data === undefined &&
        (error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />)}
      {isOwner && <Invitations />}
    </Page>
  )
}

export default Members
