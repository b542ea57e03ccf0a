import { useState } from 'react'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { ElementTexts } from './element-texts.tsx'
import { type Element, named } from './layers.ts'

interface Props {
  readonly element: Element
  readonly onClose: () => void
}

/** Changes what an element is called and what it is. Only what the person wrote is sent: the other text may be somebody else’s by then. */
export const EditElement = ({ element, onClose }: Props) => {
  const { id, title, text, version } = element
  const [written, setWritten] = useState<{ readonly title?: string; readonly summary?: string }>({})
  const editing = useDecisionChange('change_strategy', {
    doneMessage: `${named(element)} is changed.`,
    onDone: onClose,
  })
  const changes = {
    ...(written.title !== undefined && written.title.trim() !== title && { title: written.title.trim() }),
    ...(written.summary !== undefined && written.summary !== text && { summary: written.summary }),
  }
  return (
    <DecisionDialog
      opened
      size="lg"
      title={`Edit ${named(element)}`}
      action="Change it"
      statement={`Say better what ${named(element)} is.`}
      pending={editing.isPending}
      error={editing.error}
      ready={changes.title !== '' && Object.keys(changes).length > 0}
      onClose={onClose}
      onDecide={grounds => editing.decide({ action: 'update', strategy_id: id, ...changes, version, ...grounds })}
    >
      <ElementTexts
        texts={{ title: written.title ?? title, summary: written.summary ?? text }}
        onChange={changed => setWritten({ ...written, ...changed })}
      />
    </DecisionDialog>
  )
}
