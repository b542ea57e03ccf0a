import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../language/messages.ts'
import type { AskedChange } from './dialog/change.ts'
import { ChangeDialog } from './dialog/change-dialog.tsx'

interface Props {
  readonly opened: boolean
  readonly title: string
  /** What will happen, and what cannot be undone about it. */
  readonly children: ReactNode
  /** The verb: `Delete key`. */
  readonly action: string
  /** What `onConfirm` starts; null where it is done at once. */
  readonly change: AskedChange
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something that cannot be undone. What can be undone is done at once, with `notifyUndoable`. */
export const Confirm = ({ children, onConfirm, ...dialog }: Props) => (
  <ChangeDialog {...dialog} danger failed={t('That did not work')} onSubmit={onConfirm}>
    <Text component="div" size="sm">
      {children}
    </Text>
  </ChangeDialog>
)
