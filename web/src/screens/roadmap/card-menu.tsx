import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowRight, IconDots, IconX } from '@tabler/icons-react'
import { ROADMAP_HORIZONS } from '../../../../schemas/domain/vocabulary.ts'
import { HORIZONS, isOver, type RoadmapItem } from './horizons.ts'
import type { OpenDialog } from './open-dialog.ts'

interface Props {
  readonly item: RoadmapItem
  readonly onOpenDialog: (dialog: OpenDialog) => void
}

/** What may be done with a Solution of the roadmap. */
export const CardMenu = ({ item, onOpenDialog }: Props) => (
  <Menu position="bottom-end" width={200}>
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Change ${item.reference}`} data-chrome>
        <IconDots size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {!isOver(item) &&
        ROADMAP_HORIZONS.filter(horizon => horizon !== item.horizon).map(horizon => (
          <Menu.Item
            key={horizon}
            leftSection={<IconArrowRight size={15} />}
            onClick={() =>
              onOpenDialog({ what: 'move', item, to: { list: horizon, position: Number.POSITIVE_INFINITY } })
            }
          >
            Move to {HORIZONS[horizon].title}
          </Menu.Item>
        ))}
      <Menu.Item leftSection={<IconX size={15} />} onClick={() => onOpenDialog({ what: 'remove', item })}>
        Remove
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
)
