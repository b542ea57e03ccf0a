import { type ComponentProps, useRef } from 'react'
import { loadPart } from '../../load-part.ts'
import { later } from '../../parts/later.tsx'

const load = loadPart(() => import('./dialogs/all.tsx'))

export const AddClaims = later(load, dialogs => dialogs.AddClaims)
export const RemoveClaim = later(load, dialogs => dialogs.RemoveClaim)
export const BoostDialog = later(load, dialogs => dialogs.BoostDialog)
export const HandOffDialog = later(load, dialogs => dialogs.HandOffDialog)
export const EditDialog = later(load, dialogs => dialogs.EditDialog)
export const MoveDialog = later(load, dialogs => dialogs.MoveDialog)

const Explanation = later(load, dialogs => dialogs.ScoreExplanation)

/** It stays once it was opened: what closes gives the focus back. */
export const ScoreExplanation = (props: ComponentProps<typeof Explanation>) => {
  const wasOpened = useRef(false)
  wasOpened.current ||= props.of !== null
  return wasOpened.current && <Explanation {...props} />
}
