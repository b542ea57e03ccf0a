import { Button, Group, Kbd, Stack, Text, TextInput } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type FormEvent, type ReactNode, useState } from 'react'
import { MAX_CHARACTERS, MAX_SNOOZED_UNTIL } from '../../../../schemas/domain/limits.ts'
import { CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import { moments, plural, t, word } from '../../language/messages.ts'
import { ChangeModal } from '../../parts/change-dialog.tsx'
import { TellingButton } from '../../parts/controls.tsx'
import { type Decision, namesOf, type Signal } from './decision.ts'
import { localTime, snoozeTimes } from './times.ts'

interface Option {
  readonly label: string
  readonly about?: string
  readonly run: () => void
}

interface ChoiceDialogProps {
  readonly title: string
  /** Each has its number as its key. */
  readonly options: readonly Option[]
  readonly onClose: () => void
  /** What else may be said, below the options. */
  readonly children?: ReactNode
}

/** Asks for one of a few things, at the press of a number. */
const ChoiceDialog = ({ title, options, onClose, children }: ChoiceDialogProps) => {
  const pressed = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return
    const option = options[Number(event.key) - 1]
    if (option === undefined) return
    event.preventDefault()
    option.run()
  }
  // Of the window: whoever types fast is ahead of the dialog’s focus.
  useWindowEvent('keydown', pressed)
  return (
    <ChangeModal opened onClose={onClose} title={title} change={null}>
      <Stack gap="xs" pt="xs">
        {options.map(({ label, about, run }, place) => (
          <Button
            key={label}
            variant="default"
            justify="space-between"
            fw={450}
            onClick={run}
            data-autofocus={place === 0 || undefined}
            rightSection={
              <>
                {about !== undefined && (
                  <Text component="span" size="xs" c="dimmed" me="sm">
                    {about}
                  </Text>
                )}
                <Kbd size="xs" aria-hidden>
                  {place + 1}
                </Kbd>
              </>
            }
          >
            {label}
          </Button>
        ))}
      </Stack>
      {children}
    </ChangeModal>
  )
}

/** What every dialog of Triage is given. */
export interface DialogProps {
  /** What is decided on, as it was when the dialog was opened. */
  readonly signals: readonly Signal[]
  readonly onDecide: (decision: Decision) => void
  readonly onClose: () => void
}

/** What kind of thing Signals say, where the classifier was wrong about it. */
export const ReclassifyDialog = ({ signals, onDecide, onClose }: DialogProps) => (
  <ChoiceDialog
    title={plural(signals.length, 'What does {signals} say?', 'What do {signals} say?', { signals: namesOf(signals) })}
    options={CLASSIFICATIONS.map(classification => ({
      label: word(classification),
      run: () => onDecide({ action: 'reclassify', classification }),
    }))}
    onClose={onClose}
  />
)

const REASONS = [
  t('It says nothing that we can act on.'),
  t('It is not about our product.'),
  t('It is done already.'),
  t('We decided against it.'),
  t('It is spam or a test.'),
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
      title={t('Why dismiss {signals}?', { signals: namesOf(signals) })}
      options={REASONS.map(label => ({ label, run: () => dismiss(label) }))}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <Group mt="md" gap="sm" align="flex-end">
          <TextInput
            label={t('Another reason')}
            flex={1}
            maxLength={MAX_CHARACTERS.dismissal}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
          />
          <TellingButton type="submit" missing={reason.trim() === '' ? t('Write the reason first.') : null}>
            {t('Dismiss')}
          </TellingButton>
        </Group>
      </form>
    </ChoiceDialog>
  )
}

const SOME = 3

/** Until when, or until how many more say it. */
export const SnoozeDialog = ({ signals, onDecide, onClose }: DialogProps) => {
  const [times] = useState(() => snoozeTimes(new Date()))
  const [at, setAt] = useState(() => localTime(times[0]?.at ?? new Date()))
  const [more, setMore] = useState(String(SOME))
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
      title={t('Snooze {signals}', { signals: namesOf(signals) })}
      onClose={onClose}
      options={times.map(({ label, at: time }) => ({
        label,
        about: time.toLocaleDateString(moments, { weekday: 'short', day: 'numeric', month: 'short' }),
        run: () => until(time),
      }))}
    >
      <form onSubmit={submitTime}>
        <Group mt="md" gap="sm" align="flex-end">
          <TextInput
            type="datetime-local"
            label={t('Until')}
            flex={1}
            required
            withAsterisk={false}
            value={at}
            onChange={event => setAt(event.currentTarget.value)}
          />
          <Button type="submit" variant="default">
            {t('Snooze until then')}
          </Button>
        </Group>
      </form>
      <form onSubmit={submitMore}>
        <Group mt="sm" gap="sm" align="flex-end">
          <TextInput
            type="number"
            label={t('After this many more signals')}
            description={t('Signals and repeats at its claim; without a claim, its repeats.')}
            flex={1}
            min={1}
            max={MAX_SNOOZED_UNTIL}
            required
            withAsterisk={false}
            value={more}
            onChange={event => setMore(event.currentTarget.value)}
          />
          <Button type="submit" variant="default">
            {t('Snooze until more signals')}
          </Button>
        </Group>
      </form>
    </ChoiceDialog>
  )
}
