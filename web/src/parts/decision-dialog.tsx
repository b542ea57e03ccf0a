import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { ErrorState } from './error-state.tsx'

/** What a change hangs on: a Decision that the comment states, or one that was logged before. */
interface Grounds {
  readonly comment?: string
  readonly decision_id?: string
}

interface FormProps {
  /** The verb: `Move to Planned`. */
  readonly action: string
  /** What is decided, which follows the fields until somebody writes on; empty where a reason must be given. */
  readonly statement: string
  readonly pending: boolean
  readonly error: unknown
  readonly onDecide: (grounds: Grounds) => void
  readonly onClose: () => void
  /** Fields of the change itself; the first with `data-autofocus` has the focus. */
  readonly children?: ReactNode
  /** Whether these are ready to be sent. */
  readonly ready?: boolean
}

interface Props extends FormProps {
  readonly opened: boolean
  readonly title: string
  readonly size?: string
}

/** Asks for the human Decision that a change hangs on. Ctrl or ⌘ with Enter decides. */
export const DecisionDialog = ({ opened, title, size = 'md', ...form }: Props) => (
  <Modal opened={opened} onClose={form.onClose} title={title} size={size}>
    <DecisionForm {...form} />
  </Modal>
)

const DecisionForm = ({ action, statement, pending, error, onDecide, onClose, children, ready = true }: FormProps) => {
  const [written, setWritten] = useState<string | null>(null)
  const comment = written ?? statement
  const [earlier, setEarlier] = useState('')
  const said = comment.trim()
  const complete = ready && (said !== '' || earlier.trim() !== '')
  const decide = () => {
    if (!complete || pending) return
    onDecide({ ...(said !== '' && { comment: said }), ...(earlier.trim() !== '' && { decision_id: earlier.trim() }) })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    decide()
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    decide()
  }
  return (
    <form onSubmit={submit} onKeyDown={pressed}>
      <Stack gap="md">
        {children}
        <Textarea
          label="Decision"
          description="What is decided and why. It is logged with your name, and can be reversed."
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MAX_CHARACTERS.comment}
          value={comment}
          onChange={event => setWritten(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          label="Earlier Decision"
          description="Optional: the one that this carries out."
          placeholder="DEC-4"
          w={220}
          value={earlier}
          onChange={event => setEarlier(event.currentTarget.value)}
        />
        {error !== null && error !== undefined && <ErrorState error={error} title="Nothing was changed" />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={pending} disabled={!complete}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
