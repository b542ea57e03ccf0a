import { Anchor, SimpleGrid, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { MAX_TEXT_CODE_POINTS } from '../../../../schemas/domain/vocabulary.ts'
import { call, type Input, operationKey, useChange } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ChangeDialog } from '../../parts/change-dialog.tsx'
import { LimitedInput, LimitedTextarea } from '../../parts/forms/limited-text.tsx'
import { useNewForm } from '../../parts/forms/use-form.ts'
import { addressOfReference } from '../../parts/inline.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { dayOf, momentOf } from './times.ts'

const EMPTY = { text: '', actor_name: '', company: '', source: t('Call') }

/** Of its draft. */
const NAME = 'new signal'

interface Props {
  readonly onClose: () => void
}

/** A signal that a person writes down: it takes the way of every other one. */
export const WriteSignal = ({ onClose }: Props) => {
  const form = useNewForm(NAME, { ...EMPTY, day: dayOf(new Date()) })
  const given = form.values
  const follow = useFollowed()
  const capturing = useChange('capture_signal', {
    draft: NAME,
    onSuccess: ({ snippet_id }) => void follow(snippet_id),
  })
  const set = (field: keyof typeof given) => (event: { readonly currentTarget: { readonly value: string } }) =>
    form.write({ [field]: event.currentTarget.value })
  return (
    <ChangeDialog
      opened
      title={t('Write a signal')}
      size="lg"
      action={t('Send it')}
      change={capturing}
      form={form}
      failed={t('It was not sent')}
      missing={given.text.trim() === '' ? t('what was said') : given.day === '' ? t('when') : null}
      onSubmit={() => capturing.mutate(signalOf(given))}
      onClose={onClose}
    >
      <LimitedTextarea
        label={t('What was said')}
        description={t(
          'In their own words, if you have them. Addresses, phone numbers and the like are removed before it is stored.',
        )}
        autosize
        minRows={4}
        maxRows={14}
        required
        withAsterisk={false}
        most={MAX_TEXT_CODE_POINTS}
        value={given.text}
        onChange={set('text')}
        data-autofocus
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <LimitedInput
          label={t('Who said it')}
          most={MAX_CHARACTERS.signalField}
          value={given.actor_name}
          onChange={set('actor_name')}
        />
        <LimitedInput
          label={t('Company')}
          most={MAX_CHARACTERS.signalField}
          value={given.company}
          onChange={set('company')}
        />
        <LimitedInput
          label={t('Where')}
          most={MAX_CHARACTERS.signalField}
          value={given.source}
          onChange={set('source')}
        />
        <TextInput
          type="date"
          label={t('When')}
          required
          withAsterisk={false}
          max={dayOf(new Date())}
          value={given.day}
          onChange={set('day')}
        />
      </SimpleGrid>
    </ChangeDialog>
  )
}

const signalOf = ({
  text,
  actor_name,
  company,
  source,
  day,
}: typeof EMPTY & { readonly day: string }): Input<'capture_signal'> => ({
  text: text.trim(),
  occurred_at: momentOf(day, new Date()).toISOString(),
  ...(actor_name.trim() !== '' && { actor_name: actor_name.trim() }),
  ...(source.trim() !== '' && { source: source.trim() }),
  ...(company.trim() !== '' && { metadata: { company: company.trim() } }),
})

const LOOKS = 40
const BETWEEN_MS = 500

/** Tells what became of a signal once it is stored, and reads again what shows signals. */
const useFollowed = () => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (id: string): Promise<void> => {
    notifyDone(t('The signal is on its way.'))
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const found = await call('lookup_signal', { id, depth: 'summary' }).catch(() => null)
      if (found !== null && found.data.status !== 'in_pipeline') {
        await Promise.all(
          (['list_signals', 'analyze_claims', 'orient_snapshot'] as const).map(name =>
            queries.invalidateQueries({ queryKey: operationKey(name) }),
          ),
        )
        return notifyDone(<Arrived {...found.data} open={address => navigate(address)} />)
      }
      await new Promise(resolve => setTimeout(resolve, BETWEEN_MS))
    }
  }
}

interface ArrivedProps {
  readonly status: string
  readonly message: string
  readonly signal: { readonly reference: string } | null
  /** Messages stand outside of the router, so that a link of it would not work in one. */
  readonly open: (address: string) => void
}

const Arrived = ({ status, message, signal, open }: ArrivedProps) => {
  if (signal === null) return <bdi>{message}</bdi>
  const { reference } = signal
  const link = (
    <Anchor
      component="button"
      type="button"
      inherit
      underline="always"
      onClick={() => open(addressOfReference(reference) ?? '/app/triage')}
    >
      {reference}
    </Anchor>
  )
  return status === 'duplicate'
    ? rich('It repeats {link}, and is counted there.', { link })
    : rich('{link} is in Triage.', { link })
}
