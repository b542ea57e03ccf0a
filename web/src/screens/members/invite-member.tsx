import { Button, Group, Select, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import type { MemberRole } from '../../../../schemas/domain/vocabulary.ts'
import type { Output } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { useKeys } from '../../shell/keys.ts'
import { ROLE_CHOICES, ROLE_MEANINGS, roleOf } from './roles.ts'

const MOST_CHARACTERS = 120

interface Props {
  readonly onInvited: (invited: Output<'invite_member'>) => void
}

export const InviteMember = ({ onInvited }: Props) => {
  const [label, setLabel] = useState('')
  const [role, setRole] = useState<MemberRole>('member')
  const input = useRef<HTMLInputElement>(null)
  const inviting = useChange('invite_member', {
    invalidates: ['list_invitations'],
    onSuccess: invited => {
      setLabel('')
      onInvited(invited)
    },
  })
  useKeys([{ key: 'c', does: 'Invite somebody', run: () => input.current?.focus() }])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    inviting.mutate({ label, role })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          ref={input}
          label="Invite"
          description="A label for the link, such as the person’s name."
          placeholder="Design lead"
          required
          withAsterisk={false}
          maxLength={MOST_CHARACTERS}
          value={label}
          onChange={event => setLabel(event.currentTarget.value)}
          flex={1}
          miw={220}
        />
        <Select
          label="Role"
          description={ROLE_MEANINGS[role]}
          data={ROLE_CHOICES}
          value={role}
          onChange={value => setRole(roleOf(value))}
          allowDeselect={false}
          w={250}
        />
        <Button type="submit" loading={inviting.isPending}>
          Create link
        </Button>
      </Group>
      {inviting.error !== null && <ErrorState error={inviting.error} title="Nobody was invited" />}
    </form>
  )
}
