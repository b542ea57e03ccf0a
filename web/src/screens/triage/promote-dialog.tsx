import { Button, Group, Modal, SegmentedControl, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { namesOf } from './decision.ts'
import type { DialogProps } from './dialog.ts'
import { Finder } from './finder.tsx'

const KINDS = [
  { value: 'claim', label: 'A claim that there is' },
  { value: 'problem', label: 'A new problem' },
  { value: 'opportunity', label: 'A new opportunity' },
]

/** What Signals without a claim become evidence of. */
export const PromoteDialog = ({ signals, onDecide, onClose }: DialogProps) => {
  const [to, setTo] = useState(signals[0]?.classification === 'idea' ? 'opportunity' : 'problem')
  const [title, setTitle] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const named = title.trim() === '' ? {} : { title: title.trim() }
    onDecide({ action: 'promote', kind: to === 'opportunity' ? 'opportunity' : 'problem', ...named })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`What ${signals.length === 1 ? 'is' : 'are'} ${namesOf(signals)} evidence of?`}
      size="lg"
    >
      <SegmentedControl fullWidth size="xs" mb="md" data={KINDS} value={to} onChange={setTo} aria-label="Evidence of" />
      {to === 'claim' ? (
        <Finder
          label="The claim"
          type="claim"
          likely={signals[0]?.text ?? ''}
          except={new Set()}
          onPick={({ id }) => onDecide({ action: 'promote', claim_id: id })}
        />
      ) : (
        <form onSubmit={submit}>
          <TextInput
            label="Title"
            description="Left empty, it is the first sentence of the first Signal."
            maxLength={300}
            value={title}
            onChange={event => setTitle(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="space-between" mt="md">
            <Text size="xs" c="dimmed">
              Promoting accepts.
            </Text>
            <Button type="submit">Promote</Button>
          </Group>
        </form>
      )}
    </Modal>
  )
}
