import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { OWN_ZONE } from './own-zone.ts'
import { PERIODS, type PeriodChoice, periodOf, today } from './periods.ts'
import type { Job } from './review.ts'

const MAX_TITLE_CHARACTERS = 300

interface Props {
  readonly opened: boolean
  readonly onStarted: (job: Job) => void
  readonly onClose: () => void
}

/** Asks which time a review is to be of, and has it prepared. */
export const PrepareReview = ({ opened, onStarted, onClose }: Props) => (
  <Modal opened={opened} onClose={onClose} title="Prepare a Product Review">
    <Form onStarted={onStarted} onClose={onClose} />
  </Modal>
)

const Form = ({ onStarted, onClose }: Omit<Props, 'opened'>) => {
  const [choice, setChoice] = useState<PeriodChoice>('30')
  const [custom, setCustom] = useState({ from: '', until: '' })
  const [title, setTitle] = useState('')
  const starting = useChange('start_review', { invalidates: ['list_jobs'], onSuccess: onStarted })
  const period = periodOf(choice, today(OWN_ZONE, new Date()), custom)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (period === null || starting.isPending) return
    const { from, to } = period
    starting.mutate({
      time: { from, ...(to !== undefined && { to }), time_zone: OWN_ZONE },
      title: title.trim() === '' ? period.title : title.trim(),
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Select
          label="Time"
          data={PERIODS.map(each => ({ ...each }))}
          allowDeselect={false}
          value={choice}
          onChange={value => setChoice(PERIODS.find(each => each.value === value)?.value ?? '30')}
          data-autofocus
        />
        {choice === 'custom' && (
          <Group gap="sm" grow>
            <TextInput
              type="date"
              label="From"
              value={custom.from}
              onChange={event => setCustom({ ...custom, from: event.currentTarget.value })}
            />
            <TextInput
              type="date"
              label="Until"
              value={custom.until}
              onChange={event => setCustom({ ...custom, until: event.currentTarget.value })}
            />
          </Group>
        )}
        <TextInput
          label="Title"
          placeholder={period?.title ?? 'Choose both days first'}
          maxLength={MAX_TITLE_CHARACTERS}
          value={title}
          onChange={event => setTitle(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          It is compared with the same time before, and saved with its figures: it stays as it is, whatever comes later.
        </Text>
        {starting.error !== null && <ErrorState error={starting.error} title="Nothing was started" />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={starting.isPending} disabled={period === null}>
            Prepare it
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
