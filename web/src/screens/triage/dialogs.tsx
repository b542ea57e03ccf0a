import { Button, Group, Modal, SegmentedControl, Text, TextInput } from '@mantine/core'
import { type ComponentProps, type FormEvent, useState } from 'react'
import { MAX_CHARACTERS, MAX_SNOOZED_UNTIL } from '../../../../schemas/domain/limits.ts'
import { CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import { moments } from '../../language/language.ts'
import { plural, t, word } from '../../language/messages.ts'
import { TellingButton } from '../../parts/controls.tsx'
import type { OpenDialog } from './actions.ts'
import { ChoiceDialog } from './choice-dialog.tsx'
import { type Decision, namesOf, type Signal } from './decision.ts'
import { Finder } from './finder.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { localTime, snoozeTimes } from './snooze-times.ts'

interface Props extends DialogProps {
  readonly what: OpenDialog
  readonly onMerged: ComponentProps<typeof MergeDialog>['onMerged']
}

/** The one dialog that is open. */
export const Dialogs = ({ what, onMerged, ...props }: Props) => {
  const [claim] = props.signals[0]?.claims ?? []
  if (what === 'dismiss') return <DismissDialog {...props} />
  if (what === 'snooze') return <SnoozeDialog {...props} />
  if (what === 'duplicate') return <DuplicateDialog {...props} />
  if (what === 'promote') return <PromoteDialog {...props} />
  if (what === 'reclassify') return <ReclassifyDialog {...props} />
  return claim === undefined ? null : <MergeDialog claim={claim} onMerged={onMerged} onClose={props.onClose} />
}

const ReclassifyDialog = ({ signals, onDecide, onClose }: DialogProps) => (
  <ChoiceDialog
    title={plural(signals.length, 'What does {signals} say?', 'What do {signals} say?', { signals: namesOf(signals) })}
    options={CLASSIFICATIONS.map(classification => ({
      label: word(classification),
      run: () => onDecide({ action: 'reclassify', classification }),
    }))}
    onClose={onClose}
  />
)

/** What Signals repeat: they count there from then on, as its occurrences. */
const DuplicateDialog = ({ signals, onDecide, onClose }: DialogProps) => (
  <Modal opened onClose={onClose} title={t('{signals}: repeat of…', { signals: namesOf(signals) })} size="lg">
    <Finder
      label={t('The original')}
      type="signal"
      likely={signals[0]?.text ?? ''}
      except={new Set(signals.map(({ reference }) => reference))}
      onPick={({ id }) => onDecide({ action: 'duplicate', original_signal_id: id })}
    />
  </Modal>
)

const REASONS = [
  t('It says nothing that we can act on.'),
  t('It is not about our product.'),
  t('It is done already.'),
  t('We decided against it.'),
  t('It is spam or a test.'),
]

/** Why Signals are dismissed: the reason is the statement of the Decision. */
const DismissDialog = ({ signals, onDecide, onClose }: DialogProps) => {
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

const KINDS = [
  { value: 'claim', label: t('A claim that there is') },
  { value: 'problem', label: t('A new problem') },
  { value: 'opportunity', label: t('A new opportunity') },
]

/** What Signals without a claim become evidence of. */
const PromoteDialog = ({ signals, onDecide, onClose }: DialogProps) => {
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
      title={plural(signals.length, 'What is {signals} evidence of?', 'What are {signals} evidence of?', {
        signals: namesOf(signals),
      })}
      size="lg"
    >
      <SegmentedControl
        fullWidth
        size="xs"
        mb="md"
        data={KINDS}
        value={to}
        onChange={setTo}
        aria-label={t('Evidence of')}
      />
      {to === 'claim' ? (
        <Finder
          label={t('The claim')}
          type="claim"
          likely={signals[0]?.text ?? ''}
          except={new Set()}
          onPick={({ id }) => onDecide({ action: 'promote', claim_id: id })}
        />
      ) : (
        <form onSubmit={submit}>
          <TextInput
            label={t('Title')}
            description={t('Left empty, it is the first sentence of the first Signal.')}
            maxLength={MAX_CHARACTERS.title}
            value={title}
            onChange={event => setTitle(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="space-between" mt="md">
            <Text size="xs" c="dimmed">
              {t('Promoting accepts.')}
            </Text>
            <Button type="submit">{t('Promote')}</Button>
          </Group>
        </form>
      )}
    </Modal>
  )
}

const SOME = 3

/** Until when, or until how many more say it. */
const SnoozeDialog = ({ signals, onDecide, onClose }: DialogProps) => {
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

/** What every dialog of Triage is given. */
interface DialogProps {
  /** What is decided on, as it was when the dialog was opened. */
  readonly signals: readonly Signal[]
  readonly onDecide: (decision: Decision) => void
  readonly onClose: () => void
}
