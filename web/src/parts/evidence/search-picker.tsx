import { useRef } from 'react'
import { loadPart } from '../../load-part.ts'
import { later } from '../later.tsx'
import type { PickerProps } from './choose.tsx'

const Picker = later(
  loadPart(() => import('./choose.tsx')),
  choose => choose.Picker,
)

/** Finds a claim, a Solution or a node in a dialog, whose code is loaded at its first opening. */
export const SearchPicker = (props: PickerProps) => {
  const wasOpened = useRef(false)
  wasOpened.current ||= props.opened
  return wasOpened.current ? <Picker {...props} /> : null
}
