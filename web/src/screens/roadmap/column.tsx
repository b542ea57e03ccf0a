import { Text, Title } from '@mantine/core'
import type { HTMLAttributes } from 'react'
import type { RoadmapHorizon } from '../../../../schemas/domain/vocabulary.ts'
import { lineAt, type MovableList, type Move } from '../../parts/moving/list-positions.ts'
import { Card } from './card.tsx'
import { HORIZONS, isOver, type RoadmapItem } from './horizons.ts'
import type { OpenDialog } from './open-dialog.ts'
import classes from './roadmap.module.css'

interface Props {
  readonly horizon: RoadmapHorizon
  readonly list: MovableList
  readonly items: ReadonlyMap<string, RoadmapItem>
  readonly move: Move | null
  /** The Solution that was dropped and is not decided yet. */
  readonly undecided: string | null
  /** Null: the person may not move them. */
  readonly handleOf: ((id: string) => HTMLAttributes<HTMLElement>) | null
  readonly onFocus: (id: string) => void
  /** Null: the person may not change the roadmap. */
  readonly onOpenDialog: ((dialog: OpenDialog) => void) | null
}

/** One horizon, with its Solutions in order. */
export const Column = ({ horizon, list, items, move, undecided, handleOf, onFocus, onOpenDialog }: Props) => {
  const { title, about } = HORIZONS[horizon]
  return (
    <section className={classes.column} aria-labelledby={`horizon-${horizon}`}>
      <header className={classes.head}>
        <Title order={2} id={`horizon-${horizon}`}>
          {title} <span className={classes.count}>{list.items.length.toLocaleString('en')}</span>
        </Title>
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      </header>
      <ol
        className={classes.cards}
        aria-labelledby={`horizon-${horizon}`}
        data-list={horizon}
        data-over={(list.items.length === 0 && move?.to.list === horizon) || undefined}
      >
        {list.items.map((id, position) => {
          const item = items.get(id)
          return item === undefined ? null : (
            <Card
              key={id}
              item={item}
              handle={isOver(item) ? null : (handleOf?.(id) ?? null)}
              lifted={move?.id === id}
              line={lineAt(move, list, position)}
              undecided={undecided === id}
              onFocus={() => onFocus(id)}
              onOpenDialog={onOpenDialog}
            />
          )
        })}
        {list.items.length === 0 && <li className={classes.none}>Nothing.</li>}
      </ol>
    </section>
  )
}
