import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
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
    const doneMessage = `${from.reference} merged into ${into.reference}`
    merging.mutate(
      { claim_id: from.id, into_claim_id: into.id },
      { onSuccess: merged => onMerged(merged, doneMessage) },
    )
  }
  return (
    <Modal opened onClose={onClose} title={`Merge ${claim.reference}`} size="lg">
      {other === null || from === null || into === null ? (
        <Finder
          label="With which claim"
          type="claim"
          likely={claim.title}
          except={new Set([claim.reference])}
          onPick={({ id, reference, title }) => reference !== null && setOther({ id, reference, title })}
        />
      ) : (
        <Stack gap="md">
          <Line label="Merged into the other" of={from} />
          <Line label="Survivor" of={into} />
          {merging.error !== null && <ErrorState error={merging.error} title="They were not merged" />}
          <Group justify="space-between">
            <Button
              variant="default"
              leftSection={<IconArrowsExchange size={16} aria-hidden />}
              onClick={() => setSwapped(!isSwapped)}
            >
              Swap
            </Button>
            <Group gap="sm">
              <Button variant="subtle" color="gray" onClick={() => setOther(null)}>
                Choose another
              </Button>
              <Button loading={merging.isPending} onClick={merge} autoFocus>
                Merge
              </Button>
            </Group>
          </Group>
        </Stack>
      )}
    </Modal>
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
