import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../../api/hooks.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { notifyDone } from '../../../shell/notify.tsx'
import { counted } from '../counted.ts'
import type { OpenDialog } from './selection.ts'

interface Props {
  readonly of: OpenDialog
  readonly onClose: () => void
}

/** Gives letters up, for a reason that is kept as a Decision. */
export const DiscardDeadLetters = ({ of: { selection, about }, onClose }: Props) => {
  const [reason, setReason] = useState('')
  const discarding = useChange('discard_dead_letters', {
    invalidates: ['inspect_pipeline', 'inspect_dead_letter'],
    onSuccess: ({ letters, decision }) => {
      notifyDone(`${counted(letters, 'dead letter')} discarded (${decision.reference}).`)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    discarding.mutate({ ...selection, reason })
  }
  return (
    <Modal opened onClose={onClose} title="Discard dead letters?">
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {about}
          </Text>
          <Text size="sm">
            They stay listed as discarded, and are never replayed. The reason is kept as a Decision of yours.
          </Text>
          <Textarea
            label="Reason for discarding"
            autosize
            minRows={2}
            maxLength={3500}
            required
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
            data-autofocus
          />
          {discarding.error !== null && <ErrorState error={discarding.error} title="That did not work" />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={discarding.isPending}>
              Discard
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
