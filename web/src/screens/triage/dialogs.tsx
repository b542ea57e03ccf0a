import type { ComponentProps } from 'react'
import type { OpenDialog } from './actions.ts'
import type { DialogProps } from './dialog.ts'
import { DismissDialog } from './dismiss-dialog.tsx'
import { DuplicateDialog } from './duplicate-dialog.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { PromoteDialog } from './promote-dialog.tsx'
import { ReclassifyDialog } from './reclassify-dialog.tsx'
import { SnoozeDialog } from './snooze-dialog.tsx'

interface Props extends DialogProps {
  readonly what: OpenDialog
  readonly onMerged: ComponentProps<typeof MergeDialog>['onMerged']
}

/** The one dialog that is open. */
export const Dialogs = ({ what, onMerged, ...props }: Props) => {
  const [claim] = props.signals[0]?.claims ?? []
  if (what === 'dismiss') return <DismissDialog {...props} />
  if (what === 'snooze') return <SnoozeDialog {...props} />
  if (what === 'duplicate') return <DuplicateDialog {...props} />
  if (what === 'promote') return <PromoteDialog {...props} />
  if (what === 'reclassify') return <ReclassifyDialog {...props} />
  return claim === undefined ? null : <MergeDialog claim={claim} onMerged={onMerged} onClose={props.onClose} />
}
