import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ChoiceDialog } from './choice-dialog.tsx'
import { namesOf } from './decision.ts'
import type { DialogProps } from './dialog.ts'

const REASONS = [
  'It says nothing that we can act on.',
  'It is not about our product.',
  'It is done already.',
  'We decided against it.',
  'It is spam or a test.',
]

/** Why Signals are dismissed: the reason is the statement of the Decision. */
export const DismissDialog = ({ signals, onDecide, onClose }: DialogProps) => {
  const [reason, setReason] = useState('')
  const dismiss = (comment: string) => onDecide({ action: 'dismiss', comment })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    dismiss(reason.trim())
  }
  return (
    <ChoiceDialog
      title={`Why dismiss ${namesOf(signals)}?`}
      options={REASONS.map(label => ({ label, run: () => dismiss(label) }))}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <Group mt="md" gap="sm" align="flex-end">
          <TextInput
            label="Another reason"
            flex={1}
            maxLength={1000}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
          />
          <Button type="submit" disabled={reason.trim() === ''}>
            Dismiss
          </Button>
        </Group>
      </form>
    </ChoiceDialog>
  )
}
