import { Group, TextInput } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'

interface Props {
  readonly label: string
  readonly description: string
  /** The e-mail of the account. */
  readonly email: string
  readonly onChange: (email: string) => void
  readonly onSubmit: () => void
  /** The buttons beside it. */
  readonly children: ReactNode
}

/** Names an account by its e-mail, to do something to it. */
export const EmailForm = ({ label, description, email, onChange, onSubmit, children }: Props) => {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form onSubmit={submit}>
      <Group gap="sm" align="flex-end">
        <TextInput
          label={label}
          description={description}
          type="email"
          required
          withAsterisk={false}
          value={email}
          onChange={event => onChange(event.currentTarget.value)}
          flex={1}
          miw={220}
        />
        {children}
      </Group>
    </form>
  )
}
