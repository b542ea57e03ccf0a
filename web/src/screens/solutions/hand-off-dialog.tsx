import { SegmentedControl, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { HANDOFF_KINDS, type HandoffKind } from '../../../../schemas/domain/vocabulary.ts'
import { t } from '../../language/messages.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { useDecisionChange } from './use-decision-change.ts'

export const HANDOFF_NAMES: Readonly<Record<HandoffKind, string>> = {
  design: t('Design'),
  pull_request: t('Pull request'),
}

interface Props {
  readonly solution: { readonly reference: string; readonly version: number }
  /** A pull request that names the Solution, which this confirms. */
  readonly url?: string | undefined
  readonly onClose: () => void
}

/** Connects a design or a pull request, which moves a Solution to In Review. */
export const HandOffDialog = ({ solution: { reference, version }, url: proposed, onClose }: Props) => {
  const [kind, setKind] = useState<HandoffKind>(proposed === undefined ? 'design' : 'pull_request')
  const [url, setUrl] = useState(proposed ?? '')
  const handing = useDecisionChange('hand_off_solution', {
    doneMessage: t('{reference} is handed off.', { reference }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Hand {reference} off', { reference })}
      action={t('Hand off')}
      statement={t('Hand {reference} off for review.', { reference })}
      change={handing}
      missing={url.trim() === '' ? t('an address') : null}
      onClose={onClose}
      onDecide={grounds => handing.decide({ solution_id: reference, kind, url: url.trim(), version, ...grounds })}
    >
      <Text size="sm">
        {t('With a design or a pull request it is In Review. A merge never makes it Done: a person does.')}
      </Text>
      <SegmentedControl
        aria-label={t('What is handed off')}
        value={kind}
        onChange={value => setKind(HANDOFF_KINDS.find(each => each === value) ?? 'design')}
        data={HANDOFF_KINDS.map(value => ({ value, label: HANDOFF_NAMES[value] }))}
      />
      <TextInput
        label={t('Address')}
        type="url"
        placeholder="https://"
        data-autofocus
        maxLength={MAX_CHARACTERS.url}
        value={url}
        onChange={event => setUrl(event.currentTarget.value)}
      />
    </DecisionDialog>
  )
}
