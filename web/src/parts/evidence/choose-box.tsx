import { Checkbox } from '@mantine/core'
import { useRef } from 'react'
import { t } from '../../language/messages.ts'
import { clip } from '../formats.ts'
import { between } from '../selection.ts'

const SAID_CHARACTERS = 200

interface Props {
  readonly reference: string
  /** What it says: whoever hears the box alone decides by that. */
  readonly text: string
  readonly isChosen: boolean
  /** `isRange`: with Shift, for all lines since the one that was pressed before. */
  readonly onToggle: (isRange: boolean) => void
}

/** Selects a row of a list. A click returns the focus to the row, because the row's keys do not work in a field. */
export const ChooseBox = ({ reference, text, isChosen, onToggle }: Props) => (
  <Checkbox
    size="xs"
    aria-label={t('Choose {reference}', { reference })}
    aria-description={clip(text, SAID_CHARACTERS)}
    checked={isChosen}
    onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    onClick={({ detail, currentTarget }) =>
      detail > 0 && currentTarget.closest('tr, li')?.querySelector('a')?.focus({ preventScroll: true })
    }
  />
)

/** The lines that a press on one of them is for: itself, or all since the line that was pressed before. */
export const useRange = (ids: readonly string[]): ((id: string, isRange: boolean) => readonly string[]) => {
  const before = useRef<string | null>(null)
  return (id, isRange) => {
    const range = isRange ? between(ids, before.current, id) : []
    before.current = id
    return range.length > 0 ? range : [id]
  }
}
