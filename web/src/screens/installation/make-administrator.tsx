import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { notifyDone } from '../../shell/notify.tsx'

/** Shares the role with somebody who has an account, or hands it over. */
export const MakeAdministrator = () => {
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
    if (!making.isPending) making.mutate({ email })
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
        <Button variant="default" disabled={email.trim() === ''} onClick={() => setHandingOver(true)}>
          Transfer
        </Button>
      </Group>
      {making.error !== null && !handingOver && <ErrorState error={making.error} title="Nothing was changed" />}
      <Confirm
        opened={handingOver}
        title="Transfer the administration?"
        action="Transfer"
        pending={making.isPending}
        error={making.error}
        onConfirm={() => making.mutate({ email, hand_over: true })}
        onClose={() => {
          making.reset()
          setHandingOver(false)
        }}
      >
        <bdi>{email}</bdi> administers this installation in your place. You cannot take it back by yourself.
      </Confirm>
    </form>
  )
}
