import { Button, Group, Kbd, Stack, Text, TextInput } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type FormEvent, type ReactNode, useState } from 'react'
import { MAX_CHARACTERS, MAX_SNOOZED_UNTIL } from '../../../../schemas/domain/limits.ts'
import { CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import { moments, plural, t, word } from '../../language/messages.ts'
import { statement } from '../../language/statements.ts'
import { ChangeModal } from '../../parts/change-dialog.tsx'
import { TellingButton } from '../../parts/controls.tsx'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { type FormState, useNewForm } from '../../parts/forms/use-form.ts'
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
  /** What is written in it. */
  readonly form?: FormState | null
  readonly onClose: () => void
  /** What else may be said, below the options. */
  readonly children?: ReactNode
}

/** Asks for one of a few things, at the press of a number. */
const ChoiceDialog = ({ title, options, form = null, onClose, children }: ChoiceDialogProps) => {
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
    <ChangeModal opened onClose={onClose} title={title} change={null} form={form}>
      <Stack gap="xs" pt="xs">
        {options.map(({ label, about, run }, place) => (
          <Button
            key={label}
            variant="default"
            justify="space-between"
            fw={450}
            // A longer reason takes two lines on a phone.
            h="auto"
            mih={36}
            styles={{ label: { whiteSpace: 'normal', textAlign: 'start', paddingBlock: 6 } }}
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
  statement('It says nothing that we can act on.'),
  statement('It is not about our product.'),
  statement('It is done already.'),
  statement('We decided against it.'),
  statement('It is spam or a test.'),
]

/** Why Signals are dismissed: the reason is the statement of the Decision. */
export const DismissDialog = ({ signals, onDecide, onClose }: DialogProps) => {
  const form = useNewForm(`dismiss ${namesOf(signals)}`, { reason: '' })
  const { reason } = form.values
  const dismiss = (comment: string) => {
    form.forget()
    onDecide({ action: 'dismiss', comment })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    dismiss(reason.trim())
  }
  return (
    <ChoiceDialog
      title={t('Why dismiss {signals}?', { signals: namesOf(signals) })}
      options={REASONS.map(({ shown, stored }) => ({ label: shown, run: () => dismiss(stored) }))}
      form={form}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <Group mt="md" gap="sm" align="flex-end">
          <LimitedInput
            label={t('Another reason')}
            flex={1}
            most={MAX_CHARACTERS.dismissal}
            value={reason}
            onChange={event => form.write({ reason: event.currentTarget.value })}
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
  const form = useNewForm(`snooze ${namesOf(signals)}`, {
    at: localTime(times[0]?.at ?? new Date()),
    more: String(SOME),
  })
  const { at, more } = form.values
  const snooze = (how: Pick<Decision, 'until' | 'more_signals'>) => {
    form.forget()
    onDecide({ action: 'snooze', ...how })
  }
  const until = (time: Date) => snooze({ until: time.toISOString() })
  const submitTime = (event: FormEvent) => {
    event.preventDefault()
    until(new Date(at))
  }
  const submitMore = (event: FormEvent) => {
    event.preventDefault()
    snooze({ more_signals: Number(more) })
  }
  return (
    <ChoiceDialog
      title={t('Snooze {signals}', { signals: namesOf(signals) })}
      form={form}
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
            onChange={event => form.write({ at: event.currentTarget.value })}
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
            description={t('Signals and repeats of its claim are counted; without a claim, its own repeats.')}
            flex={1}
            min={1}
            max={MAX_SNOOZED_UNTIL}
            required
            withAsterisk={false}
            value={more}
            onChange={event => form.write({ more: event.currentTarget.value })}
          />
          <Button type="submit" variant="default">
            {t('Snooze until more signals')}
          </Button>
        </Group>
      </form>
    </ChoiceDialog>
  )
}
