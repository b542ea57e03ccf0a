import { AddElement } from './add-element.tsx'
import type { Asked } from './asked.ts'
import { EditElement } from './edit-element.tsx'
import { LinkElement } from './link-element.tsx'
import { MoveElement } from './move-element.tsx'
import { RemoveElement } from './remove-element.tsx'
import { UnlinkElement } from './unlink-element.tsx'

interface Props {
  readonly asked: Asked
  readonly onClose: () => void
}

/** The dialog that asks for the Decision on what somebody wants to do. */
export const StrategyDialogs = ({ asked, onClose }: Props) => {
  switch (asked.what) {
    case 'add':
      return <AddElement layer={asked.layer} onClose={onClose} />
    case 'edit':
      return <EditElement element={asked.element} onClose={onClose} />
    case 'link':
      return <LinkElement element={asked.element} onClose={onClose} />
    case 'unlink':
      return <UnlinkElement element={asked.element} linked={asked.linked} onClose={onClose} />
    case 'move':
      return <MoveElement element={asked.element} to={asked.to} onClose={onClose} />
    case 'remove':
      return <RemoveElement element={asked.element} onClose={onClose} />
  }
}
