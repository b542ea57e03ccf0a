import { Button, Group, List, Modal, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../../api/hooks.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { notifyDone } from '../../../shell/notify.tsx'
import type { WatchedStep } from './lane.ts'

interface Props {
  readonly of: WatchedStep
  /** All steps, of which some may stand still with it. */
  readonly among: readonly WatchedStep[]
  readonly onClose: () => void
}

/** Asks why a step is to be held still, and says what that means. */
export const PauseStep = ({ of: { step, head }, among, onClose }: Props) => {
  const [reason, setReason] = useState('')
  const pausing = useChange('pause_step', {
    invalidates: ['watch_pipeline'],
    onSuccess: () => {
      notifyDone(`${step} stands still within seconds.`)
      onClose()
    },
  })
  const segment = among.filter(each => each.head !== null && each.head === head).map(each => each.step)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    pausing.mutate({ step, reason })
  }
  return (
    <Modal opened onClose={onClose} title={`Pause ${step}?`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <List size="sm" spacing="xs">
            {segment.length > 1 && (
              <List.Item>
                {segment.join(', ')} hand over to each other in memory: all {segment.length} stand still.
              </List.Item>
            )}
            <List.Item>
              It holds for every workspace of this installation, in both lanes, until somebody resumes it.
            </List.Item>
            <List.Item>What comes meanwhile is accepted and waits. Nothing is lost.</List.Item>
          </List>
          <Textarea
            label="Why"
            description="Everybody whose signals wait can read it."
            autosize
            minRows={2}
            maxLength={500}
            required
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
            data-autofocus
          />
          {pausing.error !== null && <ErrorState error={pausing.error} title="That did not work" />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={pausing.isPending}>
              Pause {step}
            </Button>
          </Group>
          <Text size="xs" c="dimmed">
            A batch that is under way is finished first.
          </Text>
        </Stack>
      </form>
    </Modal>
  )
}
