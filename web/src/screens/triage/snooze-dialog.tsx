import { Button, Group, NumberInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ChoiceDialog } from './choice-dialog.tsx'
import { namesOf } from './decision.ts'
import type { DialogProps } from './dialog.ts'
import { localTime, snoozeTimes } from './snooze-times.ts'

const SOME = 3
const MOST = 10_000

/** Until when, or until how many more say it. */
export const SnoozeDialog = ({ signals, onDecide, onClose }: DialogProps) => {
  const [times] = useState(() => snoozeTimes(new Date()))
  const [at, setAt] = useState(() => localTime(times[0]?.at ?? new Date()))
  const [more, setMore] = useState<number | string>(SOME)
  const until = (time: Date) => onDecide({ action: 'snooze', until: time.toISOString() })
  const submitTime = (event: FormEvent) => {
    event.preventDefault()
    until(new Date(at))
  }
  const submitMore = (event: FormEvent) => {
    event.preventDefault()
    onDecide({ action: 'snooze', more_signals: Number(more) })
  }
  return (
    <ChoiceDialog
      title={`Snooze ${namesOf(signals)}`}
      onClose={onClose}
      options={times.map(({ label, at: time }) => ({
        label,
        about: time.toLocaleDateString(undefined, { weekday: 'short', day: 'numeric', month: 'short' }),
        run: () => until(time),
      }))}
    >
      <form onSubmit={submitTime}>
        <Group mt="md" gap="sm" align="flex-end">
          <TextInput
            type="datetime-local"
            label="Until"
            flex={1}
            required
            withAsterisk={false}
            value={at}
            onChange={event => setAt(event.currentTarget.value)}
          />
          <Button type="submit" variant="default">
            Snooze until then
          </Button>
        </Group>
      </form>
      <form onSubmit={submitMore}>
        <Group mt="sm" gap="sm" align="flex-end">
          <NumberInput
            label="After this many more signals"
            description="Signals and duplicates at its claim; without a claim, its duplicates."
            flex={1}
            min={1}
            max={MOST}
            allowDecimal={false}
            clampBehavior="strict"
            required
            withAsterisk={false}
            value={more}
            onChange={setMore}
          />
          <Button type="submit" variant="default">
            Snooze until more signals
          </Button>
        </Group>
      </form>
    </ChoiceDialog>
  )
}
