import { ActionIcon, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ClaimState, SolutionState } from '../../../../schemas/domain/vocabulary.ts'
import { Reference } from '../../parts/reference.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import type { Linked } from './open-dialog.ts'
import classes from './strategy.module.css'

interface Item {
  readonly id: string
  readonly reference: string
  readonly title: string
  readonly state: ClaimState | SolutionState
}

interface Props {
  readonly type: 'claim' | 'solution'
  /** The first of them. */
  readonly items: readonly Item[]
  /** How many there are. */
  readonly count: number
  /** Null: the person may not unlink them. */
  readonly onUnlink: ((linked: Linked) => void) | null
}

const LABELS = { claim: 'Claims linked', solution: 'Solutions linked' }

/** The claims or the Solutions that an element is linked with. */
export const LinkedList = ({ type, items, count, onUnlink }: Props) =>
  count === 0 ? null : (
    <>
      <ul className={classes.links} aria-label={LABELS[type]}>
        {items.map(({ id, reference, title, state }) => (
          <li key={id}>
            <Reference of={reference} />
            <bdi title={title}>{title}</bdi>
            <StateBadge state={state} />
            {onUnlink !== null && (
              <Tooltip label="Unlink">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={`Unlink ${reference}`}
                  onClick={() => onUnlink({ type, reference, title })}
                  data-chrome
                >
                  <IconX size={14} />
                </ActionIcon>
              </Tooltip>
            )}
          </li>
        ))}
      </ul>
      {items.length < count && (
        <Text size="xs" c="dimmed">
          And {(count - items.length).toLocaleString('en')} more.
        </Text>
      )}
    </>
  )
