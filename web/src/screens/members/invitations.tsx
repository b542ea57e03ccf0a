import { Button, CloseButton, Group, Paper, Select, Table, Text, Title } from '@mantine/core'
import { type FormEvent, useRef } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import type { MemberRole } from '../../../../schemas/domain/vocabulary.ts'
import { type Output, useChange, useOperation } from '../../api/operations.ts'
import { moments, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Copyable } from '../../parts/copyable.tsx'
import type { FormValues } from '../../parts/forms/form-model.ts'
import { FormFailure } from '../../parts/forms/form-notes.tsx'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { useNewForm } from '../../parts/forms/use-form.ts'
import { When } from '../../parts/inline.tsx'
import { QuietHead, ScrollingTable } from '../../parts/lists.tsx'
import { LiveStatus } from '../../parts/live-status.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { useKeys } from '../../shell/keys.ts'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'
import { ROLE_CHOICES, ROLE_MEANINGS, roleOf } from './roles.ts'

interface InvitedLinkProps {
  readonly invited: Output<'invite_member'>
  readonly url: string
  readonly onClose: () => void
}

const day = (at: string): string => new Date(at).toLocaleDateString(moments, { day: 'numeric', month: 'long' })

/** The one time that the link of an invitation is shown. */
export const InvitedLink = ({ invited: { label, role, expires_at, sent_to }, url, onClose }: InvitedLinkProps) => (
  <Paper
    withBorder
    p="md"
    mt="md"
    radius="lg"
    bg="var(--app-ground)"
    component="section"
    aria-label={t('Invitation made')}
  >
    <Group justify="space-between" wrap="nowrap" align="flex-start" mb="md">
      <div>
        <LiveStatus>
          <Title order={2} size="h3">
            {rich('A link for {label}', { label: <bdi>{label}</bdi> })}
          </Title>{' '}
          <Text size="sm" c="dimmed">
            {t('Whoever opens it first joins as {role}, until {expires_at}.', {
              role: word(role),
              expires_at: day(expires_at),
            })}{' '}
            <HowSent to={sent_to} />
          </Text>
        </LiveStatus>
      </div>
      <CloseButton onClick={onClose} aria-label={t('Hide the link')} />
    </Group>
    <Copyable label={t('Link [an address]')} text={url} />
  </Paper>
)

interface InviteMemberProps {
  readonly onInvited: (invited: Output<'invite_member'>) => void
}

interface Invited extends FormValues {
  readonly label: string
  readonly email: string
  readonly role: MemberRole
}

export const InviteMember = ({ onInvited }: InviteMemberProps) => {
  const form = useNewForm<Invited>('new invitation', { label: '', email: '', role: 'member' })
  const { label, email, role } = form.values
  const sendsMail = useSendsMail()
  const input = useRef<HTMLInputElement>(null)
  const inviting = useChange('invite_member', {
    draft: form.name,
    invalidates: ['list_invitations'],
    onSuccess: invited => {
      form.forget()
      onInvited(invited)
    },
  })
  useKeys([{ key: 'c', does: t('Invite somebody'), run: () => input.current?.focus() }])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    inviting.mutate({ label, role, ...(email.trim() !== '' && { email: email.trim() }) })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <LimitedInput
          ref={input}
          label={t('Invite')}
          description={t('A label for the link, such as the person’s name.')}
          placeholder={t('Design lead')}
          required
          withAsterisk={false}
          most={MAX_CHARACTERS.name}
          value={label}
          onChange={event => form.write({ label: event.currentTarget.value })}
          flex={1}
          miw={220}
        />
        {sendsMail && <InvitedAddress value={email} onChange={address => form.write({ email: address })} />}
        <Select
          label={t('Role')}
          description={ROLE_MEANINGS[role]}
          data={ROLE_CHOICES}
          value={role}
          onChange={value => form.write({ role: roleOf(value) })}
          allowDeselect={false}
          w={250}
        />
        <Button type="submit" loading={inviting.isPending}>
          {t('Create link')}
        </Button>
      </Group>
      <FormFailure form={null} error={inviting.error} title={t('Nobody was invited')} />
    </form>
  )
}

/** The invitations that somebody could still accept. */
export const Invitations = () => {
  const { data, error, refetch } = useOperation('list_invitations', {})
  if (data !== undefined && data.items.length === 0) return null
  return (
    <>
      <Title order={2} mt="xl" mb="sm">
        {t('Invited')}
      </Title>
      {data !== undefined && <InvitationTable invitations={data.items} />}
      {data === undefined &&
        (error === null ? <LoadingState rows={1} /> : <ErrorState error={error} retry={refetch} />)}
    </>
  )
}

type Invitation = Output<'list_invitations'>['items'][number]

const InvitationTable = ({ invitations }: { readonly invitations: readonly Invitation[] }) => {
  const revoking = useChange('revoke_invitation', {
    invalidates: ['list_invitations'],
    onSuccess: () => notifyDone(t('The link is invalid from now on.')),
  })
  return (
    <ScrollingTable minWidth={520} label={t('Invited')}>
      <Table aria-label={t('Invited')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('For')}</Table.Th>
            <Table.Th w={150}>{t('Role')}</Table.Th>
            <Table.Th w={120}>{t('Expires')}</Table.Th>
            <QuietHead w={110} label={t('Revoke')} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map(({ id, label, role, invited_by_name, expires_at }) => (
            <Table.Tr key={id}>
              <Table.Td maw={260}>
                <Text component="bdi" size="sm" fw={550} truncate="end" display="block" title={label}>
                  {label}
                </Text>
                <Text size="xs" c="dimmed" truncate="end">
                  {rich('by {invited_by_name}', { invited_by_name: <bdi>{invited_by_name}</bdi> })}
                </Text>
              </Table.Td>
              <Table.Td>{word(role)}</Table.Td>
              <Table.Td>
                <When at={expires_at} />
              </Table.Td>
              <Table.Td ta="end">
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  loading={revoking.isPending && revoking.variables.id === id}
                  onClick={() => revoking.mutate({ id }, { onError: notifyFailed })}
                  aria-label={t('Revoke the invitation of {label}', { label })}
                >
                  {t('Revoke')}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollingTable>
  )
}

/** Whether the installation has a mail server; while that is not known, no. */
const useSendsMail = (): boolean => {
  const { data } = useOperation('inspect_dependencies', {})
  const mail = data?.items.find(({ name }) => name === 'mail')
  return mail !== undefined && mail.state !== 'not_configured'
}

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
}

const InvitedAddress = ({ value, onChange }: Props) => (
  <LimitedInput
    label={t('E-mail')}
    description={t('Optional: the link is sent to this address.')}
    type="email"
    autoComplete="off"
    most={MAX_CHARACTERS.email}
    value={value}
    onChange={event => onChange(event.currentTarget.value)}
    flex={1}
    miw={220}
  />
)

/** How the link of an invitation gets to the person. */
const HowSent = ({ to }: { readonly to: string | null }) =>
  to === null
    ? t('Send it yourself: it is shown only once.')
    : rich('It is on its way to {to}. You can send it yourself too: it is shown only once.', { to: <bdi>{to}</bdi> })
