import { Button, Group, Modal, NumberInput, SegmentedControl, Text, TextInput } from '@mantine/core'
import { type ComponentProps, type FormEvent, useState } from 'react'
import { MAX_CHARACTERS, MAX_SNOOZED_UNTIL } from '../../../../schemas/domain/limits.ts'
import { CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import { TellingButton } from '../../parts/telling-button.tsx'
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
    title={`What ${signals.length === 1 ? 'does' : 'do'} ${namesOf(signals)} say?`}
    options={CLASSIFICATIONS.map(classification => ({
      label: classification,
      run: () => onDecide({ action: 'reclassify', classification }),
    }))}
    onClose={onClose}
  />
)

/** What Signals repeat: they count there from then on, as its occurrences. */
const DuplicateDialog = ({ signals, onDecide, onClose }: DialogProps) => (
  <Modal opened onClose={onClose} title={`${namesOf(signals)}: duplicate of…`} size="lg">
    <Finder
      label="The original"
      type="signal"
      likely={signals[0]?.text ?? ''}
      except={new Set(signals.map(({ reference }) => reference))}
      onPick={({ id }) => onDecide({ action: 'duplicate', original_signal_id: id })}
    />
  </Modal>
)

const REASONS = [
  'It says nothing that we can act on.',
  'It is not about our product.',
  'It is done already.',
  'We decided against it.',
  'It is spam or a test.',
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
      title={`Why dismiss ${namesOf(signals)}?`}
      options={REASONS.map(label => ({ label, run: () => dismiss(label) }))}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <Group mt="md" gap="sm" align="flex-end">
          <TextInput
            label="Another reason"
            flex={1}
            maxLength={MAX_CHARACTERS.dismissal}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
          />
          <TellingButton type="submit" missing={reason.trim() === '' ? 'Write the reason first.' : null}>
            Dismiss
          </TellingButton>
        </Group>
      </form>
    </ChoiceDialog>
  )
}

const KINDS = [
  { value: 'claim', label: 'A claim that there is' },
  { value: 'problem', label: 'A new problem' },
  { value: 'opportunity', label: 'A new opportunity' },
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
            maxLength={MAX_CHARACTERS.title}
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

const SOME = 3

/** Until when, or until how many more say it. */
const SnoozeDialog = ({ signals, onDecide, onClose }: DialogProps) => {
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
            max={MAX_SNOOZED_UNTIL}
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

/** What every dialog of Triage is given. */
interface DialogProps {
  /** What is decided on, as it was when the dialog was opened. */
  readonly signals: readonly Signal[]
  readonly onDecide: (decision: Decision) => void
  readonly onClose: () => void
}
