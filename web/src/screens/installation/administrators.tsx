import { Button, Group, Table, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { TellingButton } from '../../parts/telling-button.tsx'
import { When } from '../../parts/when.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { Section } from '../workspace/section.tsx'

type Administrator = Output<'list_administrators'>['items'][number]

interface Props {
  readonly administrators: readonly Administrator[]
  readonly youAdminister: boolean
}

export const Administrators = ({ administrators, youAdminister }: Props) => {
  const [leaving, setLeaving] = useState<Administrator | null>(null)
  const isLast = administrators.filter(({ disabled }) => !disabled).length === 1
  return (
    <Section
      title="Administrators"
      about="They pause and resume the pipeline, see which workspaces there are and not what is in them, and share this role."
    >
      <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th w={130}>Since</Table.Th>
              {youAdminister && <Table.Th w={120} aria-label="Remove role" />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {administrators.map(administrator => (
              <Table.Tr key={administrator.user_id}>
                <Table.Td>
                  <Who of={administrator} />
                </Table.Td>
                <Table.Td>
                  <When at={administrator.since} />
                </Table.Td>
                {youAdminister && (
                  <Table.Td ta="right">
                    {!(isLast && !administrator.disabled) && (
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        color="red"
                        onClick={() => setLeaving(administrator)}
                        aria-label={
                          administrator.is_you ? 'Give up the role' : `Remove role from ${administrator.name}`
                        }
                      >
                        {administrator.is_you ? 'Give up' : 'Remove role'}
                      </Button>
                    )}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {youAdminister && <MakeAdministrator />}
      <TakeBack of={leaving} onClose={() => setLeaving(null)} />
    </Section>
  )
}

const Who = ({ of: { name, email, is_you, disabled } }: { readonly of: Administrator }) => (
  <>
    <Text component="bdi" size="sm" fw={550} truncate="end" display="block" title={name}>
      {name}
      {is_you && (
        <Text span size="xs" c="dimmed" fw={400}>
          {' '}
          you
        </Text>
      )}
    </Text>
    {(email !== null || disabled) && (
      <Text component="bdi" size="xs" c="dimmed" display="block">
        {[...(email === null ? [] : [email]), ...(disabled ? ['disabled'] : [])].join(' · ')}
      </Text>
    )}
  </>
)

const TakeBack = ({
  of: administrator,
  onClose,
}: {
  readonly of: Administrator | null
  readonly onClose: () => void
}) => {
  const removing = useChange('remove_administrator', {
    invalidates: ['list_administrators', 'list_administration_changes', 'watch_pipeline'],
    onSuccess: () => {
      notifyDone('The role is removed.')
      onClose()
    },
  })
  return (
    <Confirm
      opened={administrator !== null}
      title={administrator?.is_you === true ? 'Give the role up?' : 'Remove the role?'}
      action={administrator?.is_you === true ? 'Give up' : 'Remove role'}
      change={removing}
      onConfirm={() => administrator !== null && removing.mutate({ user_id: administrator.user_id })}
      onClose={onClose}
    >
      <bdi>{administrator?.name}</bdi> administers this installation no more, at once. Their account and workspaces
      stay.
    </Confirm>
  )
}

/** Shares the role with somebody who has an account, or hands it over. */
const MakeAdministrator = () => {
  const [email, setEmail] = useState('')
  const [handingOver, setHandingOver] = useState(false)
  const making = useChange('make_administrator', {
    invalidates: ['list_administrators', 'list_administration_changes', 'watch_pipeline'],
    onSuccess: ({ name }) => {
      setEmail('')
      setHandingOver(false)
      notifyDone(
        <>
          <bdi>{name}</bdi> administers this installation from now on.
        </>,
      )
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    making.mutate({ email })
  }
  return (
    <form onSubmit={submit}>
      <Group gap="sm" align="flex-end" mt="md">
        <TextInput
          label="Make an administrator"
          description="The e-mail of somebody who has an account here."
          type="email"
          required
          withAsterisk={false}
          value={email}
          onChange={event => setEmail(event.currentTarget.value)}
          flex={1}
          miw={220}
        />
        <Button type="submit" loading={making.isPending && !handingOver}>
          Share the role
        </Button>
        <TellingButton
          variant="default"
          missing={email.trim() === '' ? 'Write somebody’s e-mail first.' : null}
          onClick={() => setHandingOver(true)}
        >
          Transfer
        </TellingButton>
      </Group>
      {making.error !== null && !handingOver && <ErrorState error={making.error} title="Nothing was changed" />}
      <Confirm
        opened={handingOver}
        title="Transfer the administration?"
        action="Transfer"
        change={making}
        onConfirm={() => making.mutate({ email, transfer_role: true })}
        onClose={() => setHandingOver(false)}
      >
        <bdi>{email}</bdi> administers this installation in your place. You cannot take it back by yourself.
      </Confirm>
    </form>
  )
}
