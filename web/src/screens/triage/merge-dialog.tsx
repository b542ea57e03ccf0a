import { Button, Group, Text } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { ChangeForm, ChangeModal } from '../../parts/change-dialog.tsx'
import { Reference } from '../../parts/reference.tsx'
import type { Signal } from './decision.ts'
import { Finder } from './finder.tsx'

interface SignalPanel {
  readonly id: string
  readonly reference: string
  readonly title: string
}

interface Props {
  readonly claim: Signal['claims'][number]
  readonly onMerged: (merged: Output<'merge_claims'>, doneMessage: string) => void
  readonly onClose: () => void
}

/** Merges the claim of a Signal with another one, either way round. */
export const MergeDialog = ({ claim, onMerged, onClose }: Props) => {
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
      size="lg"
      change={merging}
    >
      {other === null || from === null || into === null ? (
        <Finder
          label={t('With which claim')}
          type="claim"
          likely={claim.title}
          except={new Set([claim.reference])}
          onPick={({ id, reference, title }) => reference !== null && setOther({ id, reference, title })}
        />
      ) : (
        <ChangeForm
          action={t('Merge')}
          change={merging}
          failed={t('They were not merged')}
          onSubmit={merge}
          onCancel={() => setOther(null)}
          cancel={t('Choose another')}
          takesFocus
        >
          <Line label={t('Merged into the other')} of={from} />
          <Line label={t('Survivor')} of={into} />
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
