import { Checkbox } from '@mantine/core'
import { t } from '../../language/messages.ts'

interface Props {
  readonly reference: string
  readonly isChosen: boolean
  readonly onToggle: () => void
}

/** Chooses a row of a list. A click gives the focus back to the row, since the row's keys rest in a field. */
export const ChooseBox = ({ reference, isChosen, onToggle }: Props) => (
  <Checkbox
    size="xs"
    aria-label={t('Choose {reference}', { reference })}
    checked={isChosen}
    onChange={onToggle}
    onClick={({ detail, currentTarget }) =>
      detail > 0 && currentTarget.closest('tr, li')?.querySelector('a')?.focus({ preventScroll: true })
    }
  />
)
