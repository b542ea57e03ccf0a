import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import type { HTMLAttributes } from 'react'
import { t } from '../../language/messages.ts'
import classes from './handle.module.css'

interface Props {
  /** What `useMoving` answers for the item. */
  readonly handle: HTMLAttributes<HTMLElement>
  /** Names the item. */
  readonly label: string
  readonly lifted: boolean
}

const HELP = 'moving-help'

/** What an item is moved by. The page also holds `MovingHelp`. */
export const Handle = ({ handle, label, lifted }: Props) => (
  <ActionIcon
    {...handle}
    className={classes.handle}
    variant="subtle"
    color="gray"
    size="sm"
    aria-label={label}
    data-handle
    data-chrome
    aria-pressed={lifted}
    aria-describedby={HELP}
  >
    <IconGripVertical size={15} />
  </ActionIcon>
)

interface HelpProps {
  /** Where what is lifted would stand; null while nothing is. */
  readonly doneMessage: string | null
}

/** Says to who cannot see it how a handle is used, and where what is lifted would stand. */
export const MovingHelp = ({ doneMessage }: HelpProps) => (
  <>
    <VisuallyHidden id={HELP}>
      {t('Space lifts it. Then the arrow keys move it, Space puts it down, Escape leaves it where it was.')}
    </VisuallyHidden>
    <VisuallyHidden role="status">{doneMessage}</VisuallyHidden>
  </>
)
