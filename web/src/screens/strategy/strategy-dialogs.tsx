import { AddElement } from './add-element.tsx'
import { EditElement } from './edit-element.tsx'
import { LinkElement } from './link-element.tsx'
import { MoveElement } from './move-element.tsx'
import type { OpenDialog } from './open-dialog.ts'
import { RemoveElement } from './remove-element.tsx'
import { UnlinkElement } from './unlink-element.tsx'

interface Props {
  readonly dialog: OpenDialog
  readonly onClose: () => void
}

/** The dialog that asks for the Decision on what somebody wants to do. */
export const StrategyDialogs = ({ dialog, onClose }: Props) => {
  switch (dialog.what) {
    case 'add':
      return <AddElement layer={dialog.layer} onClose={onClose} />
    case 'edit':
      return <EditElement element={dialog.element} onClose={onClose} />
    case 'link':
      return <LinkElement element={dialog.element} onClose={onClose} />
    case 'unlink':
      return <UnlinkElement element={dialog.element} linked={dialog.linked} onClose={onClose} />
    case 'move':
      return <MoveElement element={dialog.element} to={dialog.to} onClose={onClose} />
    case 'remove':
      return <RemoveElement element={dialog.element} onClose={onClose} />
  }
}
