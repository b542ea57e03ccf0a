import { Modal } from '@mantine/core'
import { namesOf } from './decision.ts'
import type { DialogProps } from './dialog.ts'
import { Finder } from './finder.tsx'

/** What Signals repeat: they count there from then on, as its occurrences. */
export const DuplicateDialog = ({ signals, onDecide, onClose }: DialogProps) => (
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
