import { Button, Group, Modal, SegmentedControl, Text } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { type ComponentProps, type FormEvent, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { type Output, useChange } from '../../api/operations.ts'
import { plural, t } from '../../language/messages.ts'
import { ChangeForm, ChangeModal } from '../../parts/change-dialog.tsx'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { useNewForm } from '../../parts/forms/use-form.ts'
import { Reference } from '../../parts/inline.tsx'
import type { OpenDialog } from './actions.ts'
import { type DialogProps, DismissDialog, ReclassifyDialog, SnoozeDialog } from './choices.tsx'
import { namesOf, type Signal } from './decision.ts'
import { Finder } from './finder.tsx'

export { NameView } from './name-view.tsx'

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

/** What Signals repeat: they count there from then on, as its occurrences. */
const DuplicateDialog = ({ signals, onDecide, onClose }: DialogProps) => (
  <Modal opened onClose={onClose} title={t('{signals}: repeat of…', { signals: namesOf(signals) })} size="lg">
    <Finder
      label={t('The original')}
      type="signal"
      same={{ kind: 'signal', id: signals[0]?.id ?? '' }}
      except={new Set(signals.map(({ reference }) => reference))}
      onPick={({ id }) => onDecide({ action: 'duplicate', original_signal_id: id })}
    />
  </Modal>
)

const KINDS = [
  { value: 'claim', label: t('An existing claim') },
  { value: 'problem', label: t('A new problem') },
  { value: 'opportunity', label: t('A new opportunity') },
]

/** What Signals without a claim become evidence of. */
const PromoteDialog = ({ signals, onDecide, onClose }: DialogProps) => {
  const [to, setTo] = useState(signals[0]?.classification === 'idea' ? 'opportunity' : 'problem')
  const form = useNewForm(`promote ${namesOf(signals)}`, { title: '' })
  const { title } = form.values
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.forget()
    const named = title.trim() === '' ? {} : { title: title.trim() }
    onDecide({ action: 'promote', kind: to === 'opportunity' ? 'opportunity' : 'problem', ...named })
  }
  return (
    <ChangeModal
      opened
      onClose={onClose}
      change={null}
      form={form}
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
          same={{ kind: 'signal', id: signals[0]?.id ?? '' }}
          except={new Set()}
          onPick={({ id }) => onDecide({ action: 'promote', claim_id: id })}
        />
      ) : (
        <form onSubmit={submit}>
          <LimitedInput
            label={t('Title')}
            description={t('If you leave it empty, the sentence of the first signal that says most is used.')}
            most={MAX_CHARACTERS.title}
            value={title}
            onChange={event => form.write({ title: event.currentTarget.value })}
            data-autofocus
          />
          <Group justify="space-between" mt="md">
            <Text size="xs" c="dimmed">
              {t('A signal that you promote is accepted too.')}
            </Text>
            <Button type="submit">{t('Promote')}</Button>
          </Group>
        </form>
      )}
    </ChangeModal>
  )
}

interface SignalPanel {
  readonly id: string
  readonly reference: string
  readonly title: string
}

interface MergeDialogProps {
  readonly claim: Signal['claims'][number]
  readonly onMerged: (merged: Output<'merge_claims'>, doneMessage: string) => void
  readonly onClose: () => void
}

/** Merges the claim of a Signal with another one, either way round. */
const MergeDialog = ({ claim, onMerged, onClose }: MergeDialogProps) => {
  const [other, setOther] = useState<SignalPanel | null>(null)
  const [isSwapped, setSwapped] = useState(false)
  const merging = useChange('merge_claims', { invalidates: ['lookup_proposals'] })
  const [from, into] = isSwapped ? [other, claim] : [claim, other]
  const merge = () => {
    if (from === null || into === null) return
    const doneMessage = t('{reference} merged into {reference2}', {
      reference: from.reference,
      reference2: into.reference,
    })
    merging.mutate(
      { claim_id: from.id, into_claim_id: into.id },
      { onSuccess: merged => onMerged(merged, doneMessage) },
    )
  }
  return (
    <ChangeModal
      opened
      onClose={onClose}
      title={t('Merge {reference}', { reference: claim.reference })}
      form={null}
      size="lg"
      change={merging}
    >
      {other === null || from === null || into === null ? (
        <Finder
          label={t('With which claim')}
          type="claim"
          same={{ kind: 'claim', id: claim.id }}
          except={new Set([claim.reference])}
          onPick={({ id, reference, title }) => reference !== null && setOther({ id, reference, title })}
        />
      ) : (
        <ChangeForm
          action={t('Merge')}
          change={merging}
          form={null}
          failed={t('They were not merged')}
          onSubmit={merge}
          onCancel={() => setOther(null)}
          cancel={t('Choose another')}
          takesFocus
        >
          <Line label={t('Merged into the other')} of={from} />
          <Line label={t('Stays')} of={into} />
          <div>
            <Button
              variant="default"
              leftSection={<IconArrowsExchange size={16} aria-hidden />}
              onClick={() => setSwapped(!isSwapped)}
            >
              {t('Swap')}
            </Button>
          </div>
        </ChangeForm>
      )}
    </ChangeModal>
  )
}

const Line = ({ label, of }: { readonly label: string; readonly of: SignalPanel }) => (
  <div>
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    <Group gap="sm" wrap="nowrap" align="baseline">
      <Reference of={of.reference} />
      <Text component="bdi" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {of.title}
      </Text>
    </Group>
  </div>
)
