import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowRight, IconDots, IconX } from '@tabler/icons-react'
import { ROADMAP_HORIZONS } from '../../../../../schemas/domain/vocabulary.ts'
import type { Asked } from './asked.ts'
import { HORIZONS, isOver, type RoadmapItem } from './horizons.ts'

interface Props {
  readonly item: RoadmapItem
  readonly onAsk: (asked: Asked) => void
}

/** What may be done with a Solution of the roadmap. */
export const CardMenu = ({ item, onAsk }: Props) => (
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
            onClick={() => onAsk({ what: 'move', item, to: { list: horizon, place: Number.POSITIVE_INFINITY } })}
          >
            Move to {HORIZONS[horizon].title}
          </Menu.Item>
        ))}
      <Menu.Item leftSection={<IconX size={15} />} onClick={() => onAsk({ what: 'remove', item })}>
        Take it off
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
)
