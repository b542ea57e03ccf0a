import { Button, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { HTMLAttributes } from 'react'
import type { StrategyLayer } from '../../../../schemas/domain/vocabulary.ts'
import { language, t } from '../../language/messages.ts'
import { lineAt, type MovableList, type Move } from '../../parts/moving/list-positions.ts'
import { ElementItem } from './element-item.tsx'
import { type Element, LAYERS, type OpenDialog } from './layers.ts'
import classes from './strategy.module.css'

interface Props {
  readonly layer: StrategyLayer
  readonly list: MovableList
  readonly elements: ReadonlyMap<string, Element>
  readonly move: Move | null
  /** The element that was dropped and is not decided yet. */
  readonly undecided: string | null
  readonly canEdit: boolean
  readonly handleOf: (id: string) => HTMLAttributes<HTMLElement>
  readonly onFocus: (id: string) => void
  readonly onOpenDialog: (dialog: OpenDialog) => void
}

/** A layer of the Strategy Stack, with its elements in order. */
export const Layer = ({ layer, list, elements, move, undecided, canEdit, handleOf, onFocus, onOpenDialog }: Props) => {
  const { title, about, one } = LAYERS[layer]
  return (
    <section className={classes.layer} aria-labelledby={`layer-${layer}`}>
      <header className={classes.head}>
        <Title order={2} id={`layer-${layer}`}>
          {title} <span className={classes.count}>{list.items.length.toLocaleString(language)}</span>
        </Title>
        <Text size="sm" c="dimmed" className={classes.about}>
          {about}
        </Text>
        {canEdit && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={() => onOpenDialog({ what: 'add', layer })}
            data-chrome
          >
            {t('Add {one}', { one })}
          </Button>
        )}
      </header>
      <ol
        className={classes.elements}
        aria-labelledby={`layer-${layer}`}
        data-list={layer}
        data-over={(list.items.length === 0 && move?.to.list === layer) || undefined}
      >
        {list.items.map((id, position) => {
          const element = elements.get(id)
          return element === undefined ? null : (
            <ElementItem
              key={id}
              element={element}
              handle={canEdit ? handleOf(id) : null}
              whole={null}
              lifted={move?.id === id}
              line={lineAt(move, list, position)}
              undecided={undecided === id}
              onFocus={() => onFocus(id)}
              onOpenDialog={canEdit ? onOpenDialog : null}
            />
          )
        })}
        {list.items.length === 0 && <li className={classes.none}>{t('There is none yet.')}</li>}
      </ol>
    </section>
  )
}
