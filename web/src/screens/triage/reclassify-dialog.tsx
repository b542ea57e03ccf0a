import { CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import { ChoiceDialog } from './choice-dialog.tsx'
import { namesOf } from './decision.ts'
import type { DialogProps } from './dialog.ts'

export const ReclassifyDialog = ({ signals, onDecide, onClose }: DialogProps) => (
  <ChoiceDialog
    title={`What ${signals.length === 1 ? 'does' : 'do'} ${namesOf(signals)} say?`}
    options={CLASSIFICATIONS.map(classification => ({
      label: classification,
      run: () => onDecide({ action: 'reclassify', classification }),
    }))}
    onClose={onClose}
  />
)
